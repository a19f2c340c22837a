import type { Page } from '@playwright/test';
import { codeOf, errors, type RefusalName } from '#contract/errors.ts';
import { errorText } from '#contract/text/errors.ts';
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

/**
 * A portal without optional settings. The page embeds them, so they are removed from it, and it is drawn
 * again in the browser.
 */
export const withNothingSet = (page: Page) =>
  page.route(
    (url) => !/^\/(api|assets)\//.test(url.pathname),
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replaceAll(/(&quot;\w+&quot;):&quot;[^&]*&quot;/g, '$1:null')
        .replace(' data-drawn>', '>');
      await route.fulfill({ response, body });
    },
  );
