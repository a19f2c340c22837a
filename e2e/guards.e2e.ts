import type { Page } from '@playwright/test';
import { expect, lookedUp, newEmail, PASSWORD, signIn, signOut, test } from './fixtures.ts';

// What leads where, and by a full load: moves, unknown addresses, the look at the session, and its end.

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const wentWrong = (page: Page) => page.getByRole('alert').getByText('Oops! Something went wrong');
const openMenu = (page: Page) => page.getByRole('button', { name: /^Account menu of/ }).click();
/** Ends the session by a call, behind the back of the page. */
const endSession = (page: Page) => page.request.delete('/api/logout', { data: {} });

/** What a script has left on a page is gone after a full load, and only then. */
async function loadsAnew(page: Page, move: () => Promise<unknown>, path: RegExp) {
  await page.evaluate(() => Object.assign(globalThis, { here: true }));
  await move();
  await page.waitForURL(path);
  expect(await page.evaluate(() => 'here' in globalThis)).toBe(false);
}

test('between the public pages every move is a full load', async ({ page }) => {
  const follow = (name: string, path: RegExp) =>
    loadsAnew(page, () => page.getByRole('link', { name, exact: true }).first().click(), path);
  await page.goto('/');
  await follow('Create a free account', /\/signup$/);
  await follow('Sign in', /\/login$/);
  await follow('Create a free account', /\/signup$/);
  await follow('Sign in', /\/login$/);
  await follow('Forgot password?', /\/forgotpassword$/);
  await follow('Return to login', /\/login$/);
  await follow('Home', /\/$/);

  await page.goto('/notme?digest=abc');
  const digest = 'b'.repeat(43);
  await page.route('**/api/notme', (route) =>
    route.fulfill({ json: { success: true, response: { digest } } }),
  );
  const press = () => page.getByRole('button', { name: 'Sign everybody out' }).click();
  await loadsAnew(page, press, /\/resetpassword$/);
  await page.goto('/verifyemail?digest=abc');
  await page.route('**/api/verifyemail', (route) =>
    route.fulfill({ json: { success: true, response: { password_needed: 1, digest } } }),
  );
  const setNew = () => page.getByRole('button', { name: 'Set a new password instead' }).click();
  await loadsAnew(page, setNew, /\/createpassword\?confirmed=true$/);
});

test('out of the area, and to another organization, too', async ({ page, foundOrganization }) => {
  const { urlName } = await foundOrganization();
  await page.goto(`/${urlName}/myapps`);
  // Within one organization it is not.
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

const unknown = [
  '/nowhere/at/all',
  '/Nowhere',
  '/n%C3%B6rd',
  '/a%2Fb',
  '/%E2%82%AC/myprofile',
  '/%20',
  '/login/',
  '/onboarding/deeper',
  '/index.html',
  '/%E0%A4%A',
  '//evil.example',
];

test('unknown addresses lead home', async ({ page, portal }) => {
  for (const path of unknown) {
    await page.goto(`${portal.url}${path}`);
    await expect(title(page, /One door to every application/), path).toBeVisible();
    expect(page.url(), path).toBe(`${portal.url}/`);
  }
});

test('signed in, they lead to where one is at home', async ({ page, portal, foundOrganization }) => {
  const { email, urlName } = await foundOrganization();
  const home = `${portal.url}/${urlName}/myprofile`;
  for (const path of ['/nowhere', '/nowhere/at/all', '/n%C3%B6rd', '/c9', '/login/', `/${urlName}/nowhere`]) {
    await page.goto(`${portal.url}${path}`);
    await expect(title(page, 'My Profile'), path).toBeVisible();
    expect(page.url(), path).toBe(home);
  }
  // What could be an organization is asked for only after signing in.
  await signOut(page);
  await page.goto('/nowhere');
  await page.waitForURL('**/login?redirectpath=%2Fnowhere');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(home);
});

test('whoever is signed in is led on from every way in', async ({ page, portal, foundOrganization }) => {
  const { urlName } = await foundOrganization();
  for (const path of ['/login', '/signup', '/resetpassword', '/createpassword', '/']) {
    await page.goto(path);
    await expect(title(page, 'My Profile'), path).toBeVisible();
  }
  await page.goto(`/login?redirectpath=%2F${urlName}%2Fmyapps`);
  await page.waitForURL(`${portal.url}/${urlName}/myapps`);
});

test('a status check that fails leads to sign-up, which says so and stays', async ({ page }) => {
  const asked: string[] = [];
  page.on(
    'request',
    (request) => request.isNavigationRequest() && asked.push(new URL(request.url()).pathname),
  );
  await page.route('**/api/ustat', (route) => route.fulfill({ status: 500, body: 'broken' }));
  await page.goto('/login?source=zoho&redirectpath=%2Fnorthwind');
  await page.waitForURL('**/signup?source=zoho&redirectpath=%2Fnorthwind');
  await expect(wentWrong(page)).toBeVisible();
  await page.getByLabel('Email').fill(newEmail());
  expect(asked).toEqual(['/login', '/signup']);

  // Once it is well again, sign-up still says why somebody who wanted to sign in is here.
  await page.unroute('**/api/ustat');
  await page.route('**/api/ustat', (route) => route.abort(), { times: 1 });
  await page.goto('/login');
  await page.waitForURL('**/signup');
  await expect(wentWrong(page)).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(title(page, 'Welcome back')).toBeVisible();
});

test('from the area too, once and not in a circle', async ({ page, foundOrganization }) => {
  const { urlName } = await foundOrganization();
  // The area gets no answer, while sign-up finds its visitor signed in and leads back.
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

test('whose session has ended elsewhere is told so at the next call, and goes on where they were', async ({
  page,
  portal,
  foundOrganization,
}) => {
  const { email, urlName } = await foundOrganization();
  await lookedUp(page, page.goto(`/${urlName}/myprofile`));
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
});

test('after signing out, the way back shows nothing', async ({ page, foundOrganization }) => {
  const { email, urlName } = await foundOrganization();
  await page.goto(`/${urlName}/myprofile`);
  await openMenu(page);
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(title(page, 'Welcome back')).toBeVisible();
  await page.goBack();
  await page.waitForURL('**/login?redirectpath=*');
  await expect(page.getByText('Lindqvist')).toBeHidden();

  // As when the browser brings the page back the way it was left.
  await lookedUp(page, signIn(page, email));
  await expect(page.getByLabel('Last name')).toHaveValue('Lindqvist');
  await endSession(page);
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    if (!document.documentElement.hidden) throw new Error('still to be seen');
  });
  await page.waitForURL('**/login?redirectpath=*');
});
