import type { Page } from '@playwright/test';
import { withAuthenticator } from './authenticators.ts';
import { test } from './colleagues.ts';
import { expect, PASSWORD, signIn, signOut } from './fixtures.ts';

// The offer of a passkey after a sign-in with the password.

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const offer = (page: Page) => page.getByRole('dialog', { name: 'Sign in without a password next time?' });

test('a person who declines the offer of a passkey is not asked again', async ({ page, company }) => {
  const { email } = await company();
  await signOut(page);
  await withAuthenticator(page);
  await signIn(page, email);
  await expect(offer(page)).toBeVisible();
  const declined = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.keyboard.press('Escape');
  await declined;
  await expect(offer(page)).toHaveCount(0);
  await signOut(page);
  const answer = page.waitForResponse('**/api/passkeys/offer');
  await signIn(page, email);
  expect(await (await answer).json()).toMatchObject({ response: { is_open: 0 } });
  await expect(heading(page, 'My Profile')).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
});

test('no passkey is offered where it cannot be kept or none signed in', async ({ page, company }) => {
  const { email } = await company();
  let asked = 0;
  await page.route('**/api/passkeys/offer', (route) => {
    asked += 1;
    return route.continue();
  });
  await signOut(page);
  await signIn(page, email);
  await expect(heading(page, 'My Profile')).toBeVisible();
  await signOut(page);
  await withAuthenticator(page);
  await page.request.post('/api/signin', { data: { email_id: email, password: PASSWORD, timezone: '' } });
  await page.goto('/');
  await expect(heading(page, 'My Profile')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked).toBe(0);
});
