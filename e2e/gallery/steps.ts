import type { Page, Request } from '@playwright/test';
import { codeOf, errors, type RefusalName } from '#contract/errors.ts';
import { errorText } from '#words/error.ts';
import { type Site, SITE_META } from '#contract/site.ts';
import { expect } from '../fixtures.ts';
import type { Name, Stage } from './cast.ts';

// The steps that lead to each state. Calls are answered here, so that a state does not depend on what ran before.

/** Brings a fresh page into a state; the state is complete when the promise settles. */
export type Reach = (stage: Stage) => Promise<unknown>;
/** An act, a text that has to appear, or steps in order. */
export type Step = Reach | string | RegExp | readonly Step[];

export function reachOf(step: Step): Reach {
  if (typeof step === 'function') return step;
  if (typeof step === 'string' || step instanceof RegExp)
    return ({ page }) => expect(page.getByText(step).first()).toBeVisible();
  return async (stage) => {
    for (const one of step) await reachOf(one)(stage);
  };
}

export const FAILED = 'This could not be loaded';

const act =
  (run: (page: Page) => Promise<unknown>): Reach =>
  ({ page }) =>
    run(page);
const button = (page: Page, name: string | RegExp, exact = false) =>
  page.getByRole('button', { name, exact }).first();

export const signInAs =
  (name: Name): Reach =>
  ({ as }) =>
    as(name);
export const go = (path: string) => act((page) => page.goto(path));
export const press = (name: string | RegExp) => act((page) => button(page, name).click());
export const pressExactly = (name: string) => act((page) => button(page, name, true).click());
export const pressEscape = act((page) => page.keyboard.press('Escape'));
export const follow = (name: string) => act((page) => page.getByRole('link', { name }).click());
export const write = (label: string, text: string) =>
  act((page) => page.getByLabel(label, { exact: true }).fill(text));
export const inDialog = (name: string) =>
  act((page) =>
    page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name }).click(),
  );

/** Waits for a dialog, or for a popup of another role. */
export const dialog = (name: string) =>
  act((page) =>
    expect(page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }))).toBeVisible(),
  );
export const popup = (role: 'listbox' | 'menu') => act((page) => expect(page.getByRole(role)).toBeVisible());

export const open = (path: string): Step => [
  go(path),
  ({ page }) => expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible(),
];

/** Opens an empty page at the portal's address, which may use its storage. */
export async function openBlank(page: Page) {
  await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto('/blank');
}

/** The states that are a page as it opens, without an act. */
export const openings = new Set<Step>();
function opening(step: Step): Reach {
  const reach = reachOf(step);
  openings.add(reach);
  return reach;
}

/** A page as it opens. */
export const at = (path: string) => opening(open(path));

/** A page of the area as it opens for one of the people. */
export const atAs = (name: Name, path: string) =>
  opening([
    signInAs(name),
    open(path),
    ({ page }) => expect(page.getByRole('banner').locator('[aria-haspopup=menu]')).toBeVisible(),
  ]);

/** Shows elements at once that CSS delays. */
export const hurry = act((page) =>
  page.evaluate(() => document.getAnimations().forEach((one) => one.effect?.updateTiming({ delay: 0 }))),
);

/** Leaves a call or file unanswered, to show the loading state. */
export const hold = (path: string) => act((page) => page.route(`**${path}`, () => new Promise(() => {})));

/** Fails a file or call as if the network were gone. */
export const lose = (path: string) => act((page) => page.route(`**${path}`, (route) => route.abort()));

const refusalOf = (name: RefusalName) => ({
  status: errors[name].status,
  headers: errors[name].status === 429 ? { 'retry-after': '290' } : {},
  json: { success: false, error: { code: codeOf(name), details: errorText[name] } },
});
/** Answers each call: with a response, or with the name of a refusal. */
export const answerEach = (path: string, respond: (request: Request) => object | RefusalName | null) =>
  act((page) =>
    page.route(`**${path}`, (route) => {
      const response = respond(route.request());
      return route.fulfill(
        typeof response === 'string' ? refusalOf(response) : { json: { success: true, response } },
      );
    }),
  );
/** Content whose call gets no answer, or fails. */
export const withoutAnswer = (name: string, call: string, page: Step): Record<string, Step> => ({
  [`${name}--loading`]: [hold(call), page],
  [`${name}--failed`]: [lose(call), page, FAILED],
});
export const answer = (path: string, response: object | null = {}) => answerEach(path, () => response);
export const refuse = (path: string, name: RefusalName) => answerEach(path, () => name);

/** Changes the portal's answer to a call. `T` is what the change needs of it. */
export const change = <T>(path: string, apply: (response: T, query: URLSearchParams) => unknown) =>
  act((page) =>
    page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { response: T };
      apply(json.response, new URL(route.request().url()).searchParams);
      await route.fulfill({ response, json });
    }),
  );
/** Changes what the area knows of its person. */
export const withPerson = (patch: object) =>
  change<{ user_information: object }>('/api/init*', ({ user_information: person }) =>
    Object.assign(person, patch),
  );

/** Changes the settings that a page embeds. It is drawn again in the browser. */
const withSite = (apply: (site: Site) => object) =>
  act((page) =>
    page.route(
      (url) => !/^\/(api|assets)\//.test(url.pathname),
      async (route) => {
        const response = await route.fetch();
        const meta = new RegExp(`(?<=<meta name="${SITE_META}" content=')[^']*`);
        const changed = (content: string) => {
          const site = JSON.parse(content.replaceAll('&#39;', "'")) as Site;
          return JSON.stringify(apply(site)).replaceAll("'", '&#39;');
        };
        const body = (await response.text()).replace(meta, changed).replace(' data-drawn>', '>');
        await route.fulfill({ response, body });
      },
    ),
  );

/** A portal without optional settings. */
export const withNothingSet = withSite((site) =>
  Object.fromEntries(
    Object.entries(site).map(([name, value]) => [name, typeof value === 'string' ? null : value]),
  ),
);

const registered = {
  'E-signature': ['Contracts and forms for the whole house', '/icon-light.svg'],
  Invoices: ['', null],
  Donaudampfschifffahrtsgesellschaftskapitänsmützenverwaltung: [
    'Caps, badges and everything else that a captain signs for, in one list for all ships and all harbours',
    null,
  ],
  المحاسبة: ['', null],
} as const;
/** A portal whose operator has registered applications. */
export const withRegistered = withSite((site) => ({
  ...site,
  applications: Object.entries(registered).map(([name, [description, icon]], at) => ({
    name,
    description,
    icon,
    url: `https://app-${at}.northwind.example/`,
  })),
}));
