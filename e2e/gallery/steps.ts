import type { Page } from '@playwright/test';
import { codeOf, errors, type RefusalName } from '#contract/errors.ts';
import { errorText } from '#contract/text/errors.ts';
import { type Site, SITE_META } from '#contract/site.ts';
import { expect } from '../fixtures.ts';
import type { Name, Stage } from './cast.ts';

// Helpers that describe how each state is reached.

/** Brings a fresh page into a state; the state is complete when the promise settles. */
export type Reach = (stage: Stage) => Promise<unknown>;

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
export const write = (page: Page, label: string, text: string) =>
  page.getByLabel(label, { exact: true }).fill(text);
export const see = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible();

export async function open(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** Opens an empty page at the portal's address, which may use its storage. */
export async function openBlank(page: Page) {
  await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto('/blank');
}

/** The states that are a page as it opens, without an act. */
export const openings = new Set<Reach>();
const opening = (reach: Reach): Reach => {
  openings.add(reach);
  return reach;
};

/** A page as it opens. */
export const at = (path: string) => opening(({ page }) => open(page, path));

/** A page of the area as it opens for one of the people. */
export const atAs = (name: Name, path: string) =>
  opening(async ({ page, as }) => {
    await as(name);
    await page.goto(path);
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

/** Shows elements at once that CSS delays. */
export const hurry = (page: Page) =>
  page.evaluate(() => document.getAnimations().forEach((one) => one.effect?.updateTiming({ delay: 0 })));

/** Leaves a call or file unanswered, to show the loading state. */
export const hold = (page: Page, path: string) => page.route(`**${path}`, () => new Promise(() => {}));

/** Fails a file or call as if the network were gone. */
export const lose = (page: Page, path: string) => page.route(`**${path}`, (route) => route.abort());

export const answer = (page: Page, path: string, response: object = {}) =>
  page.route(`**${path}`, (route) => route.fulfill({ json: { success: true, response } }));

export const refuse = (page: Page, path: string, name: RefusalName) =>
  page.route(`**${path}`, (route) =>
    route.fulfill({
      status: errors[name].status,
      headers: errors[name].status === 429 ? { 'retry-after': '290' } : {},
      json: { success: false, error: { code: codeOf(name), details: errorText[name] } },
    }),
  );

/** Changes the settings that a page embeds. It is drawn again in the browser. */
const withSite = (page: Page, change: (site: Site) => object) =>
  page.route(
    (url) => !/^\/(api|assets)\//.test(url.pathname),
    async (route) => {
      const response = await route.fetch();
      const meta = new RegExp(`(?<=<meta name="${SITE_META}" content=")[^"]*`);
      const changed = (content: string) =>
        JSON.stringify(change(JSON.parse(content.replaceAll('&quot;', '"')) as Site)).replaceAll(
          '"',
          '&quot;',
        );
      const body = (await response.text()).replace(meta, changed).replace(' data-drawn>', '>');
      await route.fulfill({ response, body });
    },
  );

/** A portal without optional settings. */
export const withNothingSet = (page: Page) =>
  withSite(page, (site) =>
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
export const withRegistered = (page: Page) =>
  withSite(page, (site) => ({
    ...site,
    applications: Object.entries(registered).map(([name, [description, icon]], at) => ({
      name,
      description,
      icon,
      url: `https://app-${at}.northwind.example/`,
    })),
  }));
