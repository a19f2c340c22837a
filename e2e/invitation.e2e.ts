import type { Page } from '@playwright/test';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { addRole, invite } from './colleagues.ts';
import { confirmedAt, expect, judge, newEmail, PASSWORD, refuseOnce, signIn, test } from './fixtures.ts';
import { tabTo } from './keyboard.ts';
import type { Portal } from './portal.ts';

// An invitation as the invited person reads and answers it.

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** A person with an account; the browser is signed out. */
async function newAccount(page: Page, portal: Portal) {
  const email = await confirmedAt(portal, page.request, newEmail('nora'));
  await page.context().clearCookies();
  return email;
}

/** Invites an address into another person's organization; the browser is signed out afterwards. */
async function invited(page: Page, portal: Portal, company: () => Promise<unknown>, email?: string) {
  await company();
  await addRole(page, 'Sales');
  const person = await invite(page, 'Nora Holm', 'Sales', '', email);
  const link = await portal.mailedLink(person.email, email === undefined ? 1 : 2);
  return { ...person, link, leave: () => page.context().clearCookies() };
}

test('a person with an account signs in, sees the inviter and joins', async ({ page, portal, company }) => {
  const email = await newAccount(page, portal);
  const { link, leave } = await invited(page, portal, company, email);
  await leave();
  await page.goto(link);
  await expect(title(page, 'Join Northwind Traders?')).toBeVisible();
  await expect(
    page.getByText('Maya Lindqvist invites you to join Northwind Traders as Sales. Sign in with n•••@'),
  ).toBeVisible();
  await expect(page).not.toHaveURL(/digest/);
  await expect(page).toHaveTitle(`Your invitation · ${PRODUCT_NAME}`);
  await judge(page);
  // Opening changes nothing, and a reload loses nothing.
  await page.reload();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(title(page, 'Welcome back')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('button', { name: 'Join', exact: true })).toBeVisible();
  await expect(page).not.toHaveURL(/\?/);
  await judge(page);
  await press(page, 'Join');
  await page.waitForURL('**/northwind-traders*/myprofile');

  await page.goto(link);
  await expect(title(page, 'This invitation is no longer available')).toBeVisible();
  await judge(page);
  await page.getByRole('link', { name: 'Go to my account' }).click();
  await page.waitForURL('**/northwind-traders*/myprofile');
});

test('declining asks once, and the inviting admin is notified', async ({ page, portal, company }) => {
  const email = await newAccount(page, portal);
  let boss = '';
  const { link, leave } = await invited(page, portal, async () => (boss = (await company()).email), email);
  await leave();
  await signIn(page, email);
  await expect(title(page, 'Here you go!')).toBeVisible();
  await page.goto(link);
  await press(page, 'Decline');
  await expect(title(page, 'Decline the invitation?')).toBeFocused();
  await expect(
    page.getByText('You will not join Northwind Traders, and Maya Lindqvist is told.'),
  ).toBeVisible();
  await judge(page);
  await press(page, 'Back');
  await expect(title(page, 'Join Northwind Traders?')).toBeFocused();
  await press(page, 'Decline');
  await press(page, 'Decline invitation');
  await expect(title(page, 'You declined the invitation')).toBeFocused();
  await judge(page);
  const mail = await portal.mailed(boss, 'An invitation to Northwind Traders was declined');
  expect(mail).toContain('Nora Holm has declined');
});

test('each of the two pages leads to the one that fits, where a new person joins', async ({
  page,
  portal,
  company,
}) => {
  const { link, leave } = await invited(page, portal, company);
  // Signed in as the inviting admin: a password chosen here would belong to the wrong account.
  await page.goto(link);
  await expect(title(page, 'This invitation is for another account')).toBeVisible();
  await expect(page.getByText('is for n•••@northwind.example.')).toBeVisible();
  await judge(page);
  await leave();
  await page.goto(link.replace('createpassword', 'invitation'));
  await expect(page.getByText('Choose a password, and you are in.')).toBeVisible();
  await judge(page);
  await page.getByRole('link', { name: 'Create password' }).click();
  await expect(title(page, 'Create your password')).toBeVisible();
  await expect(
    page.getByText('Maya Lindqvist invites you to join Northwind Traders as Sales. Choose a password'),
  ).toBeVisible();
  await expect(page).not.toHaveURL(/digest/);
  await judge(page);
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Repeat password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/northwind-traders*/myprofile');
  await expect(page.getByLabel('First name')).toHaveValue('Nora');
});

test('a dead or unavailable invitation says so', async ({ page, portal, company }) => {
  const { email, link, leave } = await invited(page, portal, company);
  const { default_organizations: current, organizations_users: users } = (
    (await (await page.request.get('/api/init')).json()) as {
      response: {
        default_organizations: { Id: number };
        organizations_users: { user_id: number; email: string }[];
      };
    }
  ).response;
  const user_id = users.find((user) => user.email === email)?.user_id;
  await page.request.post('/api/orgusers/resend', { data: { org_id: current.Id, user_id } });
  await leave();
  // Shown before a password is chosen for it.
  await page.goto(link);
  await expect(title(page, 'This invitation is no longer available')).toBeVisible();
  await expect(page.getByLabel('New password')).toBeHidden();

  await refuseOnce(page, '/api/invitation?*', 410, { code: 'digest_expired', details: 'Out of date.' });
  await page.reload();
  await expect(title(page, 'This invitation has expired')).toBeVisible();
  await expect(page.getByText('An invitation works for 7 days.')).toBeVisible();
  await judge(page);

  await refuseOnce(page, '/api/invitation?*', 503, { code: 'unavailable', details: 'Busy.' });
  await page.reload();
  await expect(title(page, 'We could not look at your invitation')).toBeVisible();
  await judge(page);
  await press(page, 'Try again');
  await expect(title(page, 'This invitation is no longer available')).toBeFocused();

  // Leave first, because the history entry remembers the link.
  await page.goto('/login');
  await page.goto('/invitation');
  await expect(title(page, 'This link is not complete')).toBeVisible();
  await judge(page);
});

test('an unconfirmed address is confirmed first, by keyboard', async ({ page, portal, signUp, company }) => {
  const { email } = await signUp();
  const unconfirmed = await page.context().cookies();
  const confirmation = new URL(await portal.mailedLink(email)).searchParams.get('digest');
  await page.context().clearCookies();
  const { link, leave } = await invited(page, portal, company, email);
  await leave();
  await page.context().addCookies(unconfirmed);

  await page.goto(link);
  await expect(title(page, 'Join Northwind Traders?')).toBeFocused();
  await tabTo(page, /^Join$/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please confirm your email address first.')).toBeVisible();
  await judge(page);
  await tabTo(page, 'Send the link again');
  await page.keyboard.press('Enter');
  await expect(title(page, 'Check your email')).toBeVisible();

  await page.request.post('/api/verifyemail', { data: { digest: confirmation } });
  await page.goto(link);
  await expect(title(page, 'Join Northwind Traders?')).toBeFocused();
  await tabTo(page, /^Join$/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/northwind-traders*/myprofile');
});
