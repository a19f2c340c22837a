import type { Page } from '@playwright/test';
import { expect, judge, newEmail, PASSWORD, signIn, signOut, test } from './fixtures.ts';
import type { Portal } from './portal.ts';

// Account recovery: the forgotten password, the link in the mail, and “This wasn’t me”.

const NEW_PASSWORD = 'quiet lantern 77';
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const linkIn = (text: string) => /https?:\/\/\S+/.exec(text)?.[0] ?? '';

async function ask(page: Page, email: string) {
  await page.goto('/forgotpassword');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
}

async function mailedReset(page: Page, portal: Portal, email: string) {
  await signOut(page);
  await page.request.post('/api/forgotpassword', { data: { email_id: email } });
  return linkIn(await portal.mailed(email, 'Choose a new password'));
}

async function choose(page: Page, password: string, repeat = password) {
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Repeat password').fill(repeat);
  await page.getByRole('button', { name: 'Update password' }).click();
}

test('a mail is sent, and can be sent again', async ({ page, portal, signUp }) => {
  const { email } = await signUp();
  // The login page redirects a signed-in person.
  await signOut(page);
  await ask(page, newEmail('nobody'));
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email id does not exist');
  await expect(page.getByLabel('Email')).toBeFocused();

  await ask(page, email);
  await expect(title(page, 'Check your email')).toBeVisible();
  await expect(title(page, 'Check your email')).toBeFocused();
  await expect(page.getByText(`Sent to ${email}`)).toBeVisible();
  await portal.mailed(email, 'Choose a new password');
  await page.getByRole('button', { name: 'Send it again' }).click();
  await expect(page.getByRole('status').getByText('A new email is on its way.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sent again' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Sent again' })).toBeFocused();
  await portal.mailed(email, 'Choose a new password', 2);
  await judge(page);

  await page.getByRole('button', { name: 'Use another address' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('link', { name: 'Return to login' }).click();
  await expect(title(page, 'Welcome back')).toBeVisible();
});

test('the link in the mail accepts a new password, once', async ({ page, portal, signUp }) => {
  const { email } = await signUp();
  const link = await mailedReset(page, portal, email);
  await page.goto(link);
  await expect(title(page, 'Choose a new password')).toBeVisible();
  await expect(page).not.toHaveURL(/digest/);
  const password = page.getByLabel('New password');
  const described = (text: string) => expect(password).toHaveAccessibleDescription(new RegExp(`^${text}`));

  await choose(page, NEW_PASSWORD, 'something else');
  await expect(page.getByText('The two passwords are not the same.')).toBeVisible();
  await choose(page, 'short');
  await described('Please use at least 8 characters.');
  await choose(page, 'password123');
  await described('This password is on lists of common passwords.');
  await choose(page, PASSWORD);
  await described('The new password must differ from the current one.');
  await expect(password).toBeFocused();

  await choose(page, NEW_PASSWORD);
  await page.waitForURL('**/login');
  await expect(page.getByRole('status').getByText('Password updated')).toBeVisible();
  await page.reload();
  await expect(title(page, 'Welcome back')).toBeVisible();
  await expect(page.getByText('Password updated')).toBeHidden();
  await signIn(page, email, NEW_PASSWORD);
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();

  await page.goto(link);
  await choose(page, 'another lantern 78');
  await expect(title(page, 'This link no longer works')).toBeFocused();
  await page.getByRole('link', { name: 'Send me a new link' }).click();
  await expect(title(page, 'Forgot your password?')).toBeVisible();
});

test('without a link there is nothing to reset', async ({ page, signUp }) => {
  await page.goto('/resetpassword');
  await page.waitForURL('**/signup');
  // A blank page, because an open page would notice the new session and redirect by itself.
  await page.goto('about:blank');
  await signUp();
  await page.goto('/resetpassword');
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
  await signOut(page);
  await page.goto('/createpassword');
  await page.waitForURL('**/signup');
});

test('“This wasn’t me” ends sessions and the password', async ({ page, portal, signUpConfirmed }) => {
  const { email } = await signUpConfirmed();
  await page.request.put('/api/mfa', { data: { mfa_enabled: 1 } });
  const link = linkIn(await portal.mailed(email, 'Two-step sign-in is on'));
  expect(link).toContain('/notme?digest=');
  await page.goto(link);
  await expect(title(page, 'Was this not you?')).toBeVisible();
  await expect(page.getByText('Everybody is signed out, on every device.')).toBeVisible();
  expect((await page.request.get('/api/user')).status()).toBe(200);

  await page.getByRole('button', { name: 'Sign everybody out' }).click();
  await expect(title(page, 'Choose a new password')).toBeVisible();
  await expect(page).toHaveURL(/\/resetpassword$/);
  expect((await page.request.get('/api/user')).status()).toBe(401);
  await choose(page, NEW_PASSWORD);
  await expect(page.getByRole('status').getByText('Password updated')).toBeVisible();

  await page.goto(link);
  await page.getByRole('button', { name: 'Sign everybody out' }).click();
  await expect(title(page, 'This link no longer works')).toBeVisible();
  await page.getByRole('link', { name: 'Choose a new password' }).click();
  await expect(title(page, 'Forgot your password?')).toBeVisible();
});
