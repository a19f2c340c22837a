import type { Page } from '@playwright/test';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { northwind } from '#server/testing/brands.ts';
import { publicText } from '#words/public.ts';
import { uiText } from '#words/ui.ts';
import { expect, watch } from './fixtures.ts';
import { test as base } from './gallery/cast.ts';
import { NOW, stateOf, states } from './gallery/states.ts';
import { openBlank, openings } from './gallery/steps.ts';

// Chrome and Edge translate a page by wrapping each text in two `font` elements. The structure check finds texts that
// break then (`tools/check-texts.ts`). These screens prove that the others work; an error in the page fails the test.
// `npm run gallery -- translated` tries every screen and state.

const VIEWPORT = { width: 1280, height: 720 };
type Tab = { page: Page; expectNoProblems: () => Promise<void> };

/** All states of a worker share a page, because a new one for each costs a quarter of the CPU. */
const test = base.extend<object, { tab: Tab }>({
  tab: [
    async ({ browser, portal }, use) => {
      const context = await browser.newContext({
        baseURL: portal.url,
        viewport: VIEWPORT,
        timezoneId: 'Europe/Stockholm',
        locale: 'en-GB',
        reducedMotion: 'reduce',
      });
      const expectNoProblems = await watch(context);
      await context.addInitScript(translate);
      await context.clock.setFixedTime(NOW);
      await use({ page: await context.newPage(), expectNoProblems });
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: ({ tab }, use) => use(tab.page.context()),
  page: async ({ tab, context }, use) => {
    const { page } = tab;
    await use(page);
    // Held calls end with their page; without the routes they would reach the server.
    await openBlank(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
    await context.clearCookies();
    await page.setViewportSize(VIEWPORT);
    await tab.expectNoProblems();
  },
});

test.use({ brand: { name: northwind.name, legal: northwind.legal } });

/** Translates present and later text, except typed text. The words stay the same. */
function translate() {
  const put = (text: Node) => {
    const parent = text.parentElement;
    if (
      !parent ||
      text.textContent?.trim() === '' ||
      parent.closest('font, script, style, textarea, svg, head')
    )
      return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = text.textContent;
    outer.append(inner);
    text.parentNode?.replaceChild(outer, text);
  };
  const putAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) put(text);
  };
  // A page drawn ahead is translated once the script has taken over all of it.
  const isReacts = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'));
  const isTakenOver = () => {
    const drawn = [...document.querySelectorAll('#root h1, #root p, #root a, #root button, #root input')];
    return drawn.length > 0 && drawn.every(isReacts);
  };
  const observer = new MutationObserver(() => isTakenOver() && putAll(document.body));
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** States that work without the portal's script. */
const withoutScript = new Set(['failed--public-script', 'failed--area-script']);
const typical = new Set([
  'signup--messages',
  'login--wrong',
  'otp--typing',
  'forgot--sent-again',
  'confirm--wrong',
  'onboarding--messages',
  'myprofile--messages',
  'second-steps--codes-gone',
  'members--table',
  'members--many-results',
  'company--domains',
  'webhooks--troubled',
  'recentactivity--changes',
  'authorize--consent',
]);
const isWanted = (name: string) => process.env['GALLERY'] === 'translated' || typical.has(name);
const walks = Object.entries(states).filter(
  ([name, reach]) => isWanted(name) && !openings.has(reach) && !withoutScript.has(name),
);
test('the typical screens exist, and one of each page', () => {
  const named = [...typical, ...Object.values(stateOf)];
  expect(named.filter((name) => !(name in states))).toEqual([]);
});

for (const [name, reach] of walks)
  test(`${name} works on a translated page, under the operator's name`, async ({ page, as, portal }) => {
    await reach({ page, as, portal, language: 'en' });
    await expect(page.locator('h1 font font').first()).toBeAttached();
    expect(`${await page.title()} ${await page.content()}`).not.toContain(PRODUCT_NAME);
  });

test('a public page that fails nevertheless shows a way on', async ({ browser, portal }) => {
  const context = await browser.newContext({ baseURL: portal.url });
  const page = await context.newPage();
  await page.goto('/forgotpassword');
  await page.locator('#root:not([data-drawn])').waitFor();
  await page.route('**/api/forgotpassword', async (route) => {
    // Something in the browser has removed elements that the script drew.
    await page.locator('main').evaluate((main) => main.replaceChildren());
    await route.fulfill({ json: { success: true, response: {} } });
  });
  await page.getByLabel('Email', { exact: true }).fill('maya@northwind.example');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByRole('heading', { level: 1, name: publicText.failedTitle })).toBeVisible();
  await page.getByRole('button', { name: uiText.tryAgain }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeVisible();
  await context.close();
});
