import type { Page } from '@playwright/test';
import { expect, lookedUp, newEmail, PASSWORD, refuseOnce, signOut, test } from './fixtures.ts';

// Redirects and full loads: links, unknown addresses, the session check, and the end of a session.

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const wentWrong = (page: Page) => page.getByRole('alert').getByText('Oops! Something went wrong');
const openMenu = (page: Page) => page.getByRole('button', { name: /^Account menu of/ }).click();
/** Ends the session by a call, without the page knowing. */
const endSession = (page: Page) => page.request.delete('/api/logout', { data: {} });

/** Proves a full load: a global variable of the page disappears only then. */
async function loadsAnew(page: Page, move: () => Promise<unknown>, path: RegExp) {
  await page.evaluate(() => Object.assign(globalThis, { here: true }));
  await move();
  await page.waitForURL(path);
  expect(await page.evaluate(() => 'here' in globalThis)).toBe(false);
}

test('each link between public pages is a full load and passes the query on', async ({ page }) => {
  const query = 'source=zoho&redirectpath=%2Fnorthwind%2Fmyapps';
  const end = `\\?${query}$`;
  const follow = (name: string, path: string) =>
    loadsAnew(
      page,
      () => page.getByRole('link', { name, exact: true }).first().click(),
      new RegExp(path + end),
    );
  await page.goto(`/login?${query}&evil=1`);
  await follow('Create a free account', '/signup');
  await follow('Sign in', '/login');
  await follow('Forgot password?', '/forgotpassword');
  await follow('Return to login', '/login');
  const unconfirmed = { code: 'account_not_confirmed', details: 'Please confirm your address.' };
  await refuseOnce(page, '/api/signin', 403, unconfirmed);
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await loadsAnew(page, () => page.keyboard.press('Enter'), new RegExp(`/verifyaccount${end}`));
  await follow('Return to login', '/login');
  const home = page.getByRole('link', { name: 'Home', exact: true });
  await loadsAnew(page, () => home.click(), /\/$/);

  await page.goto('/notme?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9');
  const digest = 'b'.repeat(43);
  await page.route('**/api/notme', (route) =>
    route.fulfill({ json: { success: true, response: { digest } } }),
  );
  const press = () => page.getByRole('button', { name: 'Sign everybody out' }).click();
  await loadsAnew(page, press, /\/resetpassword$/);
  await page.goto('/verifyemail?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9');
  await page.route('**/api/verifyemail', (route) =>
    route.fulfill({ json: { success: true, response: { password_needed: 1, digest } } }),
  );
  const setNew = () => page.getByRole('button', { name: 'Set a new password instead' }).click();
  await loadsAnew(page, setNew, /\/createpassword\?confirmed=true$/);
});

test('leaving the area and switching the organization are full loads', async ({ page, enter }) => {
  const { urlName } = await enter('myapps');
  // A link within one organization is not a full load.
  await page.evaluate(() => Object.assign(globalThis, { here: true }));
  await page.getByRole('link', { name: 'My Profile' }).click();
  await expect(title(page, 'My Profile')).toBeVisible();
  expect(await page.evaluate(() => 'here' in globalThis)).toBe(true);

  await openMenu(page);
  await page.getByRole('menuitem', { name: 'Add Organization' }).click();
  await page.getByLabel('Organization name').fill('Second Traders');
  const create = () => page.getByRole('button', { name: 'Create organization' }).click();
  await loadsAnew(page, create, /\/second-traders[^/]*\/organization$/);

  await page.getByRole('button', { name: /^Switch organization/ }).click();
  const change = () => page.getByRole('button', { name: 'Switch', exact: true }).click();
  await loadsAnew(page, change, new RegExp(`/${urlName}/organization$`));

  await openMenu(page);
  const logout = () => page.getByRole('menuitem', { name: 'Logout' }).click();
  await loadsAnew(page, logout, /\/login$/);
});

const unknown = ['/nowhere/at/all', '/Nowhere', '/n%C3%B6rd', '/a%2Fb', '/login/', '//evil.example'];

const nothingThere = (page: Page) => page.getByText('There is nothing at this address.');

test('unknown addresses lead home, which says so once', async ({ page, portal }) => {
  for (const path of unknown) {
    await page.goto(`${portal.url}${path}`);
    await expect(title(page, /One door to every application/), path).toBeVisible();
    await expect(nothingThere(page), path).toBeVisible();
    expect(page.url(), path).toBe(`${portal.url}/`);
  }
  await page.reload();
  await expect(title(page, /One door to every application/)).toBeVisible();
  await expect(nothingThere(page)).toBeHidden();
});

test('signed in, unknown addresses lead to the home page', async ({ page, portal, company }) => {
  const { email, urlName } = await company();
  const home = `${portal.url}/${urlName}/myprofile`;
  const notYours = page.getByText('You have no organization at this address');
  for (const [path, why] of [
    ['/nowhere', notYours],
    ['/c9', notYours],
    ['/n%C3%B6rd', nothingThere(page)],
    ['//evil.example', nothingThere(page)],
    [`/${urlName}/nowhere`, nothingThere(page)],
  ] as const) {
    await page.goto(`${portal.url}${path}`);
    await expect(why, path).toBeVisible();
    await expect(title(page, 'My Profile'), path).toBeVisible();
    expect(page.url(), path).toBe(home);
  }
  // A path that could be an organization's is resolved only after sign-in.
  await signOut(page);
  await page.goto('/nowhere');
  await page.waitForURL('**/login?redirectpath=%2Fnowhere');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(home);
});

test('the pages of sign-in and sign-up redirect a signed-in person', async ({ page, portal, company }) => {
  const { urlName } = await company();
  for (const path of ['/login', '/signup', '/resetpassword', '/createpassword', '/']) {
    await page.goto(path);
    await expect(title(page, 'My Profile'), path).toBeVisible();
  }
  await page.goto(`/login?redirectpath=%2F${urlName}%2Fmyapps`);
  await page.waitForURL(`${portal.url}/${urlName}/myapps`);
});

test('a failed status check leads to sign-up, which shows the failure and stays', async ({ page }) => {
  const paths: string[] = [];
  page.on(
    'request',
    (request) => request.isNavigationRequest() && paths.push(new URL(request.url()).pathname),
  );
  await page.route('**/api/ustat', (route) => route.fulfill({ status: 500, body: 'broken' }));
  await page.goto('/login?source=zoho&redirectpath=%2Fnorthwind');
  await page.waitForURL('**/signup?source=zoho&redirectpath=%2Fnorthwind');
  await expect(wentWrong(page)).toBeVisible();
  await page.getByLabel('Email').fill(newEmail());
  expect(paths).toEqual(['/login', '/signup']);

  // After recovery, sign-up still says why a person who wanted to sign in is there.
  await page.unroute('**/api/ustat');
  await page.route('**/api/ustat', (route) => route.abort(), { times: 1 });
  await page.goto('/login');
  await page.waitForURL('**/signup');
  await expect(wentWrong(page)).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(title(page, 'Welcome back')).toBeVisible();
});

test('a failed check in the area leads to sign-up once, without a loop', async ({ page, company }) => {
  const { urlName } = await company();
  // The area gets no answer, while sign-up finds a session and redirects back.
  await page.route('**/api/ustat', (route) =>
    page.url().endsWith('/signup') ? route.continue() : route.fulfill({ status: 503, body: '' }),
  );
  await page.goto(`/${urlName}/myprofile`);
  await expect(title(page, 'We could not load your account')).toBeVisible();
  await page.unroute('**/api/ustat');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(title(page, 'My Profile')).toBeVisible();

  await page.evaluate(() => sessionStorage.clear());
  await signOut(page);
  await page.route('**/api/ustat', (route) => route.abort());
  await page.goto(`/${urlName}/myprofile`);
  await page.waitForURL('**/signup');
  await expect(wentWrong(page)).toBeVisible();
});

test('an ended session is told at the next call, and nothing is lost', async ({ page, portal, enter }) => {
  const { email, urlName } = await lookedUp(page, enter('myprofile'));
  await page.getByLabel('First name').fill('Maj');
  await endSession(page);
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await page.waitForURL(`**/login?redirectpath=${encodeURIComponent(`/${urlName}/myprofile`)}`);
  const why = page.getByRole('alert').getByText('Your session has ended.');
  await expect(why).toBeVisible();
  await page.reload();
  await expect(title(page, 'Welcome back')).toBeVisible();
  await expect(why).toBeHidden();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${portal.url}/${urlName}/myprofile`);
  await expect(page.getByLabel('First name')).toHaveValue('Maj');
  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Maya');
});
