import type { Locator, Page } from '@playwright/test';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { expect, newEmail, PASSWORD, signIn, signOut, test } from './fixtures.ts';

// Signing in with address and password, and the interruptions on the way.

test('without cookies the page says so, and a pasted address counts', async ({ page, signUpConfirmed }) => {
  const { email } = await signUpConfirmed();
  await signOut(page);
  await page.route('**/api/signin', async (route) => {
    const response = await route.fetch();
    await page.context().clearCookies();
    const { 'set-cookie': _cookies, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await signIn(page, `Maya <mailto:${email}>`);
  await expect(page.getByText('Your browser keeps no cookies.')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/login');
});

test('sign-up shows the password rules while typing', async ({ page }) => {
  await page.goto('/signup');
  const password = page.getByLabel('Password', { exact: true });
  const long = 'At least 8 characters, such as a few words';
  const notYours = `Not just your address or “${PRODUCT_NAME}”`;
  await expect(password).toHaveAccessibleDescription(`${long} ${notYours}`);
  await page.getByLabel('Email').fill('maya.lindqvist@northwind.example');
  await password.fill('northwind1');
  await expect(password).toHaveAccessibleDescription(`${long} (done) ${notYours}`);
  await password.fill('arch');
  await expect(password).toHaveAccessibleDescription(`${long} ${notYours} (done)`);
  await password.fill(PASSWORD);
  await expect(password).toHaveAccessibleDescription(`${long} (done) ${notYours} (done)`);

  // The list of common passwords is only on the server.
  await page.getByLabel('Email').fill(newEmail());
  await password.fill('password123');
  await page.getByRole('button', { name: 'Create my free account' }).click();
  await expect(page.getByText('This password is on lists of common passwords.')).toBeVisible();
});

test('Facebook is always offered, Google if enabled; an unset one says so', async ({ page, context }) => {
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Google' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Facebook' }).click();
    await expect(page.getByRole('alert').getByText('This way to sign in is not set up yet.')).toBeVisible();
    await expect.poll(() => context.pages().length).toBe(1);
  }
});

for (const [when, look] of [
  [
    'it comes to the front',
    (page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))),
  ],
  ['a window beside it opens the area', async (page) => (await page.context().newPage()).goto('/')],
] as const satisfies [string, (page: Page) => Promise<unknown>][])
  test(`a login tab goes on after a sign-in elsewhere when ${when}`, async ({ page, signUpConfirmed }) => {
    await page.goto('/login?redirectpath=%2Faccount%2Fmyprofile');
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await signUpConfirmed();
    await look(page);
    await page.waitForURL('**/account/myprofile');
  });

test('fields that were filled without an event count', async ({ page, portal, withTwoStep }) => {
  const { email } = await withTwoStep();
  await page.goto('/login');
  const fill = (field: Locator, text: string) =>
    field.evaluate((input: HTMLInputElement, value) => {
      input.value = value;
    }, text);
  await fill(page.getByLabel('Email'), email);
  await fill(page.getByLabel('Password', { exact: true }), PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await fill(page.getByRole('textbox', { name: /^\d-digit code$/ }), await portal.mailedCode(email));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
});
