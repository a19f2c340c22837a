import type { Page } from '@playwright/test';
import { codeOf, errors, type RefusalName } from '#contract/errors.ts';
import { expect } from '../fixtures.ts';
import type { Name, Stage } from './cast.ts';

// The words that the states are told in.

/** How a state comes about on a fresh page; it is there when the promise settles. */
export type Reach = (stage: Stage) => Promise<unknown>;

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
export const write = (page: Page, label: string, text: string) =>
  page.getByLabel(label, { exact: true }).fill(text);
export const see = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible();

export async function open(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** A page as it opens. */
export const at =
  (path: string): Reach =>
  ({ page }) =>
    open(page, path);

/** A page of the area as it opens for one of the people. */
export const atAs =
  (name: Name, path: string): Reach =>
  async ({ page, as }) => {
    await as(name);
    await page.goto(path);
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  };

/** Lets what waits for its moment by style appear at once. */
export const hurry = (page: Page) =>
  page.evaluate(() => document.getAnimations().forEach((one) => one.effect?.updateTiming({ delay: 0 })));

/** Leaves a call or file unanswered, for what shows meanwhile. */
export const hold = (page: Page, path: string) => page.route(`**${path}`, () => new Promise(() => {}));

/** Lets a file or call fail as when the network is gone. */
export const lose = (page: Page, path: string) => page.route(`**${path}`, (route) => route.abort());

export const answer = (page: Page, path: string, response: object = {}) =>
  page.route(`**${path}`, (route) => route.fulfill({ json: { success: true, response } }));

export const refuse = (page: Page, path: string, name: RefusalName) =>
  page.route(`**${path}`, (route) =>
    route.fulfill({
      status: errors[name].status,
      headers: errors[name].status === 429 ? { 'retry-after': '290' } : {},
      json: { success: false, error: { code: codeOf(name), details: errors[name].text } },
    }),
  );

/** A portal whose operator has set nothing: the settings stand in the page, which is built anew with what is left of them. */
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
