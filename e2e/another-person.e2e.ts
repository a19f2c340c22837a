import type { Page } from '@playwright/test';
import { addRole, invite, lookAgain, openMembers, organizationOf, test } from './colleagues.ts';
import { expect, foundAt, lookedUp, PASSWORD } from './fixtures.ts';
import { choose, pictureFile } from './pictures.ts';

// Two people at one browser: a page acts for the person it was drawn for, or not at all.

const warning = (page: Page) => page.getByRole('alert').getByText('Someone else has signed in');
const firstName = (page: Page) => page.getByLabel('First name');
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('Save of the former person changes nothing, and the page says why', async ({ page, company, enter }) => {
  await lookedUp(page, enter('myprofile'));
  await firstName(page).fill('Mallory');
  // Another tab signs out and signs someone else in, without a page that could notify this one.
  await page.request.delete('/api/logout', { data: {} });
  const second = await company('Southwind Traders');
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await expect(warning(page)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/${second.urlName}/myprofile$`));
  await expect(firstName(page)).toHaveValue('Maya');
  const user = (await (await page.request.get('/api/user')).json()) as { response: object };
  expect(user.response).toMatchObject({ first_name: 'Maya', email: second.email });

  await page.reload();
  await expect(title(page, 'My Profile')).toBeVisible();
  await expect(warning(page)).toBeHidden();
});

/** Uses up the session check that a key press starts at most once per minute. */
const beAtWork = (page: Page) => page.keyboard.press('Shift');

/** Signs someone else in at this browser, without a page that could notify the others. */
async function signInUnseen(page: Page, email: string) {
  await page.request.delete('/api/logout', { data: {} });
  const data = { email_id: email, password: PASSWORD, timezone: '' };
  expect((await page.request.post('/api/signin', { data })).ok()).toBe(true);
}

test('Logout and an upload of the former person do not act for the next one', async ({ page, company }) => {
  const { email } = await company();
  await page.request.delete('/api/logout', { data: {} });
  await company('Southwind Traders');
  await lookedUp(page, page.goto('/'));
  await beAtWork(page);
  await signInUnseen(page, email);
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await lookedUp(page, page.getByRole('menuitem', { name: 'Logout' }).click());
  await expect(warning(page)).toBeVisible();
  expect((await page.request.get('/api/user')).ok()).toBe(true);

  await beAtWork(page);
  await page.request.delete('/api/logout', { data: {} });
  await company('Westwind Traders');
  const refused = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/drive/profile');
  await choose(page, 'Add picture', await pictureFile(page, '#00665e'));
  await page.getByRole('button', { name: 'Save image' }).click();
  expect((await refused).status()).toBe(401);
  await expect(page).toHaveURL(/\/westwind-traders[^/]*\/myprofile$/);
  await expect(warning(page)).toBeVisible();
});

for (const [what, notice] of [
  ['a tab that comes to the front', lookAgain],
  ['the next key press in a tab', beAtWork],
] as const)
  test(`${what} checks the session`, async ({ page, company }) => {
    const { email, urlName } = await company();
    await page.request.delete('/api/logout', { data: {} });
    const { email: others } = await company('Southwind Traders');
    await signInUnseen(page, email);
    await lookedUp(page, page.goto(`/${urlName}/myprofile`));
    await signInUnseen(page, others);
    await notice(page);
    await expect(warning(page)).toBeVisible();
    await expect(page).toHaveURL(/\/southwind-traders[^/]*\/myprofile$/);
  });

test('an invitation is answered only by its person', async ({ page, portal, signUpConfirmed, company }) => {
  const leave = () => page.context().clearCookies();
  const { email: noras } = await signUpConfirmed();
  await leave();
  const { email: mayas } = await company();
  await addRole(page, 'Sales');
  await invite(page, 'Nora Holm', 'Sales', '', noras);
  const link = await portal.mailedLink(noras, 2);
  await leave();
  const { email: toms } = await signUpConfirmed();

  await signInUnseen(page, noras);
  await page.goto(link);
  const join = page.getByRole('button', { name: 'Join', exact: true });
  await expect(join).toBeVisible();
  await signInUnseen(page, mayas);
  await join.click();
  await expect(warning(page)).toBeVisible();
  await expect(page.getByText(`You are signed in as ${mayas}.`)).toBeVisible();

  await signInUnseen(page, toms);
  await page.getByRole('button', { name: 'Sign out and go on' }).click();
  await expect(page.getByText(`You are signed in as ${toms}.`)).toBeVisible();
  expect((await page.request.get('/api/user')).ok()).toBe(true);
  await page.getByRole('button', { name: 'Sign out and go on' }).click();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  expect((await page.request.get('/api/user')).status()).toBe(401);
});

test('an address’s link asks for a password again', async ({ page, portal, signUp, signUpConfirmed }) => {
  const { email } = await signUpConfirmed();
  await page.request.delete('/api/logout', { data: {} });
  const mine = await signUp();
  const link = await portal.mailedLink(mine.email);
  await page.route('**/api/verifyemail', (route) => route.abort(), { times: 1 });
  await page.goto(link);
  const press = page.getByRole('button', { name: 'Confirm my address' });
  await expect(press).toBeVisible();
  await signInUnseen(page, email);
  await press.click();
  await expect(warning(page)).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(title(page, 'Your address is confirmed')).toBeVisible();
});

test('a tab acts in its organization, whatever another tab shows', async ({ page, context, company }) => {
  const { urlName } = await company();
  const response = await foundAt(page.request, 'Lakeside Studio');
  await openMembers(page, urlName);
  const other = await context.newPage();
  await openMembers(other, response.OrgUrlName);
  await page.getByLabel('Number of employees').fill('40');
  await page.getByLabel('Website').fill('https://northwind.example');
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
  const form = page.locator('form').filter({ has: page.getByLabel('Website') });
  await form.getByRole('button', { name: 'Save changes' }).click();
  expect((await saved).ok()).toBe(true);
  const all = (await (await page.request.get('/api/orgs')).json()) as {
    response: { OrgUrlName: string; WebSite: string }[];
  };
  const sites = Object.fromEntries(all.response.map((one) => [one.OrgUrlName, one.WebSite]));
  expect(sites).toEqual({ [urlName]: 'https://northwind.example', [response.OrgUrlName]: '' });
});

test('other tabs learn of a sign-out and of another sign-in', async ({ page, context, company, enter }) => {
  const { urlName } = await lookedUp(page, enter('myprofile'));
  const other = await context.newPage();
  await lookedUp(other, other.goto(`/${urlName}/myprofile`));
  await other.getByRole('button', { name: /^Account menu of/ }).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/login?redirectpath=*');

  await company('Westwind Traders');
  // The other tab stands at the login page and follows this sign-in by itself.
  await Promise.all([lookedUp(other, other.waitForURL('**/myprofile')), lookedUp(page, page.goto('/'))]);
  await page.request.delete('/api/logout', { data: {} });
  const { urlName: theirs } = await company('Southwind Traders');
  await lookedUp(other, other.goto('/'));
  await expect(warning(page)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/${theirs}/myprofile$`));
});

test('other tabs learn that an organization was left', async ({ company, colleague }) => {
  const { urlName } = await company();
  const tom = await colleague();
  await lookedUp(tom.page, tom.page.goto(`/${urlName}/myprofile`));
  const { orgId } = await organizationOf(tom.page);
  expect((await tom.page.request.post('/api/orgs/leave', { data: { org_id: orgId } })).ok()).toBe(true);
  const other = await tom.page.context().newPage();
  await other.goto('/');
  await expect(tom.page.getByText('You no longer belong to Northwind Traders')).toBeVisible();
});
