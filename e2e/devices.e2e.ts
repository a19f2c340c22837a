import type { Page } from '@playwright/test';
import { expect, PASSWORD, test } from './fixtures.ts';

const table = (page: Page) => page.getByRole('table', { name: 'Signin Devices' });
const rows = (page: Page) => table(page).getByRole('row').filter({ hasText: 'Signed in since' });

/** Signs the same person in at another browser by a call. */
async function signInAt(there: Page, email: string) {
  const data = { email_id: email, password: PASSWORD, timezone: 'Europe/Stockholm' };
  expect((await there.request.post('/api/signin', { data })).ok()).toBe(true);
  return there;
}

test('all others are signed out at once, and then this one', async ({ page, company, elsewhere }) => {
  const { email, urlName } = await company();
  const others = [await signInAt(await elsewhere(), email), await signInAt(await elsewhere(), email)];
  await page.goto(`/${urlName}/signindevices`);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Sign out all other devices?' });
  await expect(dialog).toContainText('2 other devices');
  await dialog.getByRole('button', { name: 'Sign out all others' }).click();
  await expect(page.getByText('All other devices are signed out')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0);
  for (const there of others) {
    await there.goto(`/${urlName}/signindevices`);
    await expect(there).toHaveURL(/\/login/);
  }

  await page.getByRole('button', { name: /^Delete/ }).click();
  await expect(page.getByRole('alertdialog')).toContainText('This is the device you are using.');
  await page.getByRole('button', { name: 'Delete device' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await (await page.request.get('/api/ustat')).json()).toEqual({ success: true, response: null });
});
