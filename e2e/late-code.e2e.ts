import type { Page } from '@playwright/test';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { expect, expectAccessible, lookedUp, test } from './fixtures.ts';

// Code that does not load: the page stays and says so, and the same press works once the network is back.

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const wentWrong = (page: Page) => page.getByRole('alert').getByText('Oops! Something went wrong');
const lose = (page: Page, files: string) => page.route(`**/assets/${files}`, (route) => route.abort());
const find = (page: Page, files: string) => page.unroute(`**/assets/${files}`);

async function dismissAlert(page: Page) {
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(wentWrong(page)).toBeHidden();
}

test('a public page that does not load says so and can be retried', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await lose(page, 'support-page*.js');
  await page.goto('/support');
  await expect(title(page, 'This page did not load')).toBeVisible();
  await expect(wentWrong(page)).toBeVisible();
  await expect(page).toHaveTitle(`This page did not load · ${PRODUCT_NAME}`);
  await expectAccessible(page);
  await find(page, 'support-page*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(title(page, 'How can we help?')).toBeVisible();
});

test('a page that does not load leaves the person where they are', async ({ page, enter }) => {
  const { urlName } = await lookedUp(page, enter('myprofile'));
  const link = page.getByRole('link', { name: 'My Apps' });
  await lose(page, 'my-apps-page*');
  await link.click();
  // The alert stays while the pointer is over it.
  await wentWrong(page).hover();
  await expect(title(page, 'My Profile')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`/${urlName}/myprofile`);

  // Offline, no full load is tried, and the state of the page is not lost.
  await page.evaluate(() => Object.assign(globalThis, { here: true }));
  await page.context().setOffline(true);
  await dismissAlert(page);
  await link.click();
  await expect(page.getByRole('alert').getByText('You seem to be offline.')).toBeVisible();
  expect(await page.evaluate(() => 'here' in globalThis)).toBe(true);

  await page.context().setOffline(false);
  await find(page, 'my-apps-page*');
  await link.click();
  await expect(title(page, 'My Apps')).toBeVisible();
  expect(await page.evaluate(() => 'here' in globalThis)).toBe(true);
  const tile = page.getByRole('listitem').filter({ hasText: 'E-signature' }).locator('> *');
  await expect(tile, 'its style sheet came, too').toHaveCSS('border-radius', '14px');
});

test('where only a full load helps, the second press does one', async ({ page, enter }) => {
  const { urlName } = await enter('myprofile');
  const link = page.getByRole('link', { name: 'My Apps' });
  // As after a release, or in a browser that caches a failed import: the server responds, but the file is
  // missing.
  await lose(page, 'my-apps-page*.js');
  await link.click();
  await expect(wentWrong(page)).toBeVisible();
  await page.evaluate(() => Object.assign(globalThis, { here: true }));
  await link.click();
  await page.waitForURL(`**/${urlName}/myapps`);
  await expect(title(page, 'We could not load this page')).toBeVisible();
  expect(await page.evaluate(() => 'here' in globalThis)).toBe(false);
  await find(page, 'my-apps-page*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(title(page, 'My Apps')).toBeVisible();
});

test('the account menu works once the network is back', async ({ page, enter }) => {
  await lookedUp(page, enter('myprofile'));
  const button = page.getByRole('button', { name: /^Account menu of/ });
  await expect(button).toBeVisible();
  await page.context().setOffline(true);
  await button.click();
  await expect(page.getByRole('alert').getByText('You seem to be offline.')).toBeVisible();
  await dismissAlert(page);
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').getByText('You seem to be offline.')).toBeVisible();

  await page.context().setOffline(false);
  await button.click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Add Organization' }).click();
  await expect(page.getByRole('dialog', { name: 'Here you go!' })).toBeVisible();
});

test('a popup whose style sheet was lost is not shown without it', async ({ page, enter }) => {
  await enter('myapps');
  const add = async () => {
    await page.getByRole('button', { name: /^Account menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Add Organization' }).click();
  };
  await lose(page, 'confirm*.css');
  await add();
  await expect(wentWrong(page)).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await find(page, 'confirm*.css');
  await add();
  const dialog = page.getByRole('dialog', { name: 'Here you go!' });
  await expect(dialog).toBeVisible();
  await expect(dialog).toHaveCSS('border-radius', '16px');
});

test('a dialog and a list whose code did not load open with the next press', async ({ page, company }) => {
  const { urlName } = await company();
  await lose(page, 'member-dialog*.js');
  await page.goto(`/${urlName}/organization`);
  const add = page.getByRole('main').getByRole('button', { name: 'Add member' }).first();
  await add.click();
  await expect(wentWrong(page)).toBeVisible();
  await find(page, 'member-dialog*.js');
  await add.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  await expect(dialog.getByLabel('First name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(add).toBeFocused();

  await lose(page, 'combobox*.js');
  await page.goto(`/${urlName}/myprofile`);
  await page.getByLabel('Country').click();
  await expect(wentWrong(page)).toBeVisible();
  await find(page, 'combobox*.js');
  await page.getByLabel('Country').click();
  await expect(page.getByRole('option', { name: 'Sweden' })).toBeVisible();
});

test('the second step of signing in loads with a retry', async ({ page, withTwoStep }) => {
  const { email } = await withTwoStep();
  await lose(page, 'second-step*.js');
  await page.goto('/login');
  const signIn = async () => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('sturdy arch 42');
    await page.keyboard.press('Enter');
  };
  await signIn();
  await expect(wentWrong(page)).toBeVisible();
  await expect(title(page, 'Welcome back')).toBeVisible();
  await find(page, 'second-step*.js');
  await signIn();
  await expect(page.getByRole('textbox', { name: /^\d-digit code$/ })).toBeFocused();
});

test.describe('without its script', () => {
  test.use({ waitsForScript: false });

  for (const { path, script, after } of [
    { path: '/login', script: 'public-*.js', after: 'Welcome back' },
    { path: '/somewhere', script: 'area-*.js', after: 'Welcome back' },
  ])
    test(`${path} says so when its script never comes`, async ({ page }) => {
      await lose(page, script);
      await page.goto(path);
      const words = page.getByText('This page has not finished loading.');
      await expect(words).toBeHidden();
      // The message appears after eight seconds, which the test skips.
      await page.evaluate(() =>
        document.getAnimations().map((one) => one.effect?.updateTiming({ delay: 0 })),
      );
      await expect(words).toBeVisible();
      await find(page, script);
      await page.getByRole('link', { name: 'Load it again' }).click();
      await expect(title(page, after)).toBeVisible();
      await expect(words).toHaveCount(0);
    });
});
