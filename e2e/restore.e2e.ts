import type { Page } from '@playwright/test';
import { confirmed, deactivate, newEmail } from '#server/testing/people.ts';
import { mailedText } from '#server/testing/mailed.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { expect, judge, signIn } from './fixtures.ts';
import { forward, mailedLink, test, title } from './own-app.ts';

// Recovering from a scheduled deletion and from a restriction.

const DAY_MS = 86_400_000;

async function deactivated(app: TestApp) {
  const person = await confirmed(app);
  await deactivate(app, person);
  return { ...person, link: await mailedLink(app, person.email) };
}

const restoreButton = (page: Page) => page.getByRole('button', { name: 'Restore my account' });

test('the mailed link restores the account with one press', async ({ page, app }) => {
  const { email, link } = await deactivated(app);
  await page.goto(link);
  await expect(title(page, 'Restore your account')).toBeVisible();
  await expect(page).not.toHaveURL(/digest/);
  // Opening the page changes nothing, and a reload loses nothing.
  await page.reload();
  await signIn(page, email);
  await page.waitForURL('**/support?reason=deactivated&*');
  await page.goto(link);
  await restoreButton(page).click();
  await expect(title(page, 'Welcome back')).toBeFocused();
  await judge(page);
  await mailedText(app, email, 'Your account is back');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL('**/login');
  await signIn(page, email);
  await expect(title(page, 'Here you go!')).toBeVisible();
});

test('a truncated link says so and does not reveal the address', async ({ page, app }) => {
  await page.goto('/restoreaccount');
  await expect(title(page, 'This link is not complete')).toBeVisible();
  const email = newEmail('nobody');
  await page.getByRole('button', { name: 'Send the restore link again' }).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Sent to n•••@northwind\.example$/)).toBeVisible();
  expect(await app.mails(email)).toEqual([]);
  await page.getByRole('button', { name: 'Use another address' }).click();
  await expect(title(page, 'This link is not complete')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('after sixty days nothing can be restored', async ({ page, app }) => {
  const { email, link } = await deactivated(app);
  await forward(page, app, 60 * DAY_MS);
  await page.goto(link);
  await restoreButton(page).click();
  await expect(title(page, 'This link has expired')).toBeFocused();
  await expect(page.getByText('An account can be restored for 60 days.')).toBeVisible();
  await judge(page);
  await expect(page.getByRole('link', { name: 'Create a new account' })).toHaveAttribute('href', '/signup');
  await signIn(page, email);
  await expect(title(page, 'Your account is erased')).toBeVisible();
  await judge(page);
  await expect(page.getByRole('link', { name: 'Create a new account' })).toHaveAttribute('href', '/signup');
});

test('support shows the days left and sends the link again, with a wait', async ({ page, app }) => {
  const { email, link } = await deactivated(app);
  await forward(page, app, 17.5 * DAY_MS);
  await signIn(page, email);
  await expect(page.getByText('43 days left')).toBeVisible();
  const erased = new Date(app.clock.now().getTime() + 42.5 * DAY_MS);
  const day = await page.evaluate(
    (ms) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(ms),
    erased.getTime(),
  );
  await expect(page.getByText(`It is erased on ${day}.`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Write to help@northwind.example' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await judge(page);

  await page.getByRole('button', { name: 'Send the restore link again' }).click();
  await expect(title(page, 'Check your email')).toBeFocused();
  await expect(page.getByText('Sent to m•••@northwind.example')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Send it again in 0:\d\d$/ })).toBeDisabled();
  await judge(page);
  const second = await mailedLink(app, email);
  expect(second).not.toBe(link);

  await page.clock.fastForward('00:30');
  await page.getByRole('button', { name: 'Send it again', exact: true }).click();
  await expect(page.getByRole('status').getByText('A new link is on its way.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Send it again in 0:/ })).toBeFocused();
  const third = await mailedLink(app, email);
  expect(third).not.toBe(second);
  await page.goto(second);
  await restoreButton(page).click();
  await expect(title(page, 'Welcome back')).toBeVisible();
  await page.goto(third);
  await restoreButton(page).click();
  await expect(title(page, 'This link no longer works')).toBeVisible();
});

test('a restricted person chooses a new password and is signed in', async ({ page, app }) => {
  const { email, id } = await confirmed(app);
  const [now, endsAt] = [app.clock.now(), new Date(app.clock.now().getTime() + DAY_MS)];
  const restriction = {
    user_id: id as never,
    cause: 'wrong-codes',
    created_at: now,
    ends_at: endsAt,
  } as const;
  await app.deps.sql
    .insertInto('restrictions')
    .values({ ...restriction, lifted_at: null })
    .execute();
  await signIn(page, email);
  await expect(title(page, 'Your account is locked for a while')).toBeVisible();
  const moment = await page.evaluate(
    (ms) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(ms),
    endsAt.getTime(),
  );
  await expect(page.getByText(`on ${moment}`)).toBeVisible();
  await judge(page);
  await page.getByRole('link', { name: 'Reset your password' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.keyboard.press('Enter');
  await expect(title(page, 'Check your email')).toBeVisible();
  await page.goto(await mailedLink(app, email));
  await page.getByLabel('New password').fill('quiet lantern 77');
  await page.getByLabel('Repeat password').fill('quiet lantern 77');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  await signIn(page, email, 'quiet lantern 77');
  await expect(title(page, 'Here you go!')).toBeVisible();
});
