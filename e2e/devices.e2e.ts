import type { Browser, Page } from '@playwright/test';
import { expect, PASSWORD, test } from './fixtures.ts';

const table = (page: Page) => page.getByRole('table', { name: 'Signin Devices' });
const rows = (page: Page) => table(page).getByRole('row').filter({ hasText: 'Signed in since' });

/** Opens the question about removing the second device. */
const askToRemove = (page: Page) =>
  rows(page)
    .nth(1)
    .getByRole('button', { name: /^Delete/ })
    .click();

/** The same person in another browser, signed in by a call. */
async function elsewhere(browser: Browser, url: string, email: string) {
  const context = await browser.newContext({ baseURL: url });
  const data = { email_id: email, password: PASSWORD, timezone: 'Europe/Stockholm' };
  expect((await context.request.post('/api/signin', { data })).ok()).toBe(true);
  return { context, page: await context.newPage() };
}

test('one browser ends another’s session, whose next request leads to the login page and says why', async ({
  page,
  portal,
  browser,
  foundOrganization,
}) => {
  const { email, urlName } = await foundOrganization();
  const other = await elsewhere(browser, portal.url, email);
  await other.page.goto(`/${urlName}/communications`);
  await expect(other.page.getByLabel('Product offers')).toBeVisible();

  await page.goto(`/${urlName}/myprofile`);
  await page.getByRole('link', { name: 'Signin Devices' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Signin Devices' })).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('Active');
  await expect(rows(page).first()).toContainText(/Chrome On Linux/);
  await askToRemove(page);
  const dialog = page.getByRole('alertdialog', { name: 'Delete this device?' });
  await expect(dialog).toContainText('will be signed out at once');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Delete device' }).click();
  await expect(page.getByText('Sign-in device deleted')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Delete/ })).toBeFocused();

  await other.page.getByLabel('Product offers').click();
  await expect(other.page).toHaveURL(/\/login\?redirectpath=/);
  await expect(other.page.getByText('Your session has ended.')).toBeVisible();
  await other.context.close();
});

test('all other devices are signed out at once, and this device signs itself out', async ({
  page,
  portal,
  browser,
  foundOrganization,
}) => {
  const { email, urlName } = await foundOrganization();
  const others = [await elsewhere(browser, portal.url, email), await elsewhere(browser, portal.url, email)];
  await page.goto(`/${urlName}/signindevices`);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Sign out all other devices?' });
  await expect(dialog).toContainText('2 other devices');
  await dialog.getByRole('button', { name: 'Sign out all others' }).click();
  await expect(page.getByText('All other devices are signed out')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0);
  for (const { context, page: there } of others) {
    await there.goto(`/${urlName}/signindevices`);
    await expect(there).toHaveURL(/\/login/);
    await context.close();
  }

  await page.getByRole('button', { name: /^Delete/ }).click();
  await expect(page.getByRole('alertdialog')).toContainText('This is the device you are using.');
  await page.getByRole('button', { name: 'Delete device' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await (await page.request.get('/api/ustat')).json()).toEqual({ success: true, response: null });
});

test('a device that has already ended is reported and leaves the list', async ({
  page,
  portal,
  browser,
  foundOrganization,
}) => {
  const { email, urlName } = await foundOrganization();
  const other = await elsewhere(browser, portal.url, email);
  await page.goto(`/${urlName}/signindevices`);
  await expect(rows(page)).toHaveCount(2);
  await other.context.request.delete('/api/logout', { data: {} });
  await askToRemove(page);
  await page.getByRole('button', { name: 'Delete device' }).click();
  await expect(page.getByText('This device is no longer signed in.')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await other.context.close();
});
