import type { Page } from '@playwright/test';
import { confirmed, newEmail, PASSWORD, signedUp } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { expect, judge, signIn, signOut } from './fixtures.ts';
import { forward, mailedLink, test, title } from './own-app.ts';

// Confirming an address: the page that waits for the mail, and the page behind its link, also on another
// device.

const NEW_PASSWORD = 'quiet lantern 77';
const SECOND_MS = 1000;
const confirmButton = (page: Page) => page.getByRole('button', { name: 'Confirm my address' });

async function signedUpElsewhere(app: TestApp, email?: string) {
  const person = await signedUp(app, email);
  return { ...person, link: await mailedLink(app, person.email) };
}

async function ask(page: Page, email: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send a new link' }).click();
  await expect(title(page, 'Check your email')).toBeFocused();
}

test('the waiting page names the address, and sends again after 30 seconds', async ({ page, app }) => {
  const { email } = await signedUpElsewhere(app);
  await forward(page, app, 31 * SECOND_MS);
  await signIn(page, email);
  await expect(title(page, 'Check your email')).toBeVisible();
  await expect(page.getByText('Sent to m•••@northwind.example')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Open / })).toBeHidden();
  await expect(page.getByRole('button', { name: /^Send it again in 0:\d\d$/ })).toBeDisabled();
  const before = (await app.mails(email)).length;
  await page.clock.fastForward('00:30');
  await page.getByRole('button', { name: 'Send it again', exact: true }).click();
  await expect(page.getByRole('status').getByText('A new link is on its way.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Send it again in 0:/ })).toBeFocused();
  await expect.poll(() => app.mails(email)).toHaveLength(before + 1);
  await page.getByRole('button', { name: 'Use another address' }).click();
  await expect(title(page, 'Confirm your address')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('a link to the mail provider is one press away', async ({ page, app }) => {
  const { email } = await signedUpElsewhere(app, 'maya.waits@gmail.com');
  await signIn(page, email);
  const open = page.getByRole('link', { name: 'Open Gmail (opens in a new tab)' });
  await expect(open).toHaveAttribute('href', 'https://mail.google.com/');
  await expect(open).toHaveAttribute('target', '_blank');
  await judge(page);
});

test('on another device the link asks for the password', async ({ page, app }) => {
  const { link, email } = await signedUpElsewhere(app);
  await page.goto(link);
  await expect(page.getByText('Enter the password you chose when you signed up.')).toBeVisible();
  await expect(page).not.toHaveURL(/digest/);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('not my password');
  await confirmButton(page).click();
  await expect(password).toHaveAccessibleDescription('Invalid crendentials');
  await expect(password).toBeFocused();
  await judge(page);
  await password.fill(PASSWORD);
  await confirmButton(page).click();
  await expect(title(page, 'Your address is confirmed')).toBeFocused();
  await judge(page);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL('**/login');
  await signIn(page, email);
  await expect(title(page, 'Here you go!')).toBeVisible();
});

test('a new password by the link signs the person who signed up out', async ({ page, app }) => {
  const { link, email, visitor } = await signedUpElsewhere(app);
  await page.goto(link);
  await page.getByRole('button', { name: 'Set a new password instead' }).click();
  await expect(title(page, 'Create your password')).toBeVisible();
  await expect(page).toHaveURL(/\?confirmed=true$/);
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByLabel('Repeat password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(title(page, 'Here you go!')).toBeVisible();
  await signOut(page);
  await signIn(page, email, PASSWORD);
  await expect(page.getByRole('alert').getByText('The Email address or Password is wrong.')).toBeVisible();
});

test('a person of another account is asked, and goes on to a new password', async ({ page, app }) => {
  const { link } = await signedUpElsewhere(app);
  const other = await confirmed(app);
  await signIn(page, other.email);
  await expect(title(page, 'Here you go!')).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('Enter the password you chose when you signed up.')).toBeVisible();
  expect((await page.request.get('/api/user')).status()).toBe(200);
  await page.getByRole('button', { name: 'Set a new password instead' }).click();
  await expect(title(page, 'Create your password')).toBeVisible();
  expect((await page.request.get('/api/user')).status()).toBe(401);
});

test('an expired or truncated link leads to a new one', async ({ page, app }) => {
  const { link, email } = await signedUpElsewhere(app);
  await forward(page, app, 24 * 3600 * SECOND_MS);
  await page.goto(link);
  await page.getByRole('button', { name: 'Set a new password instead' }).click();
  await expect(title(page, 'This link has expired')).toBeFocused();
  await judge(page);
  await ask(page, email);
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  await expect(page.getByRole('link', { name: 'Forgot your password?' })).toBeVisible();

  await page.goto('about:blank');
  await page.goto('/verifyemail');
  await expect(title(page, 'This link is not complete')).toBeVisible();
  await ask(page, newEmail('nobody'));
});

test('a used link confirms again to the signed-in person', async ({ page, app }) => {
  const email = newEmail('again');
  await page.request.post('/api/signup', { data: { emailId: email, password: PASSWORD, timezone: '' } });
  await page.goto(await mailedLink(app, email));
  await expect(title(page, 'Your address is confirmed')).toBeVisible();
  await page.reload();
  await expect(title(page, 'Your address is confirmed')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/');
});
