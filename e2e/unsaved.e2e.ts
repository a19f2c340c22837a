import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures.ts';

// Changes that are not saved are not lost without asking.

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard changes?' });
const firstName = (page: Page) => page.getByLabel('First name');
const answer = (page: Page, name: string) => question(page).getByRole('button', { name }).click();

test('another page is shown only after asking', async ({ page, foundOrganization }) => {
  const { urlName } = await foundOrganization();
  await page.goto(`/${urlName}/myapps`);
  await page.getByRole('link', { name: 'My Profile' }).click();
  await firstName(page).fill('Maj');
  const link = page.getByRole('link', { name: 'My Apps' });
  await link.click();
  await expect(question(page).getByRole('button', { name: 'Keep editing' })).toBeFocused();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page);
  }
  await page.keyboard.press('Escape');
  await expect(question(page)).toBeHidden();
  await expect(firstName(page)).toHaveValue('Maj');
  expect(new URL(page.url()).pathname).toBe(`/${urlName}/myprofile`);

  // The way back asks as well, and the page one is on is no other page.
  await page.goBack();
  await answer(page, 'Keep editing');
  await expect(firstName(page)).toHaveValue('Maj');
  await page.getByRole('link', { name: 'My Profile' }).click();
  await expect(question(page)).toBeHidden();

  await link.click();
  await answer(page, 'Discard changes');
  await expect(page.getByRole('heading', { level: 1, name: 'My Apps' })).toBeVisible();
  await page.getByRole('link', { name: 'My Profile' }).click();
  await expect(firstName(page)).toHaveValue('Maya');
});

test('nothing is asked once all is saved or put back', async ({ page, foundOrganization }) => {
  const { urlName } = await foundOrganization();
  await page.goto(`/${urlName}/myprofile`);
  await firstName(page).fill('Maj');
  await firstName(page).fill('Maya');
  await page.getByRole('link', { name: 'My Apps' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Apps' })).toBeVisible();
  await page.getByRole('link', { name: 'My Profile' }).click();
  await firstName(page).fill('Maj');
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await expect(page.getByText('Profile updated')).toBeVisible();
  await page.getByRole('link', { name: 'My Apps' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Apps' })).toBeVisible();
});

test('leaving for good asks first: logout, and another organization', async ({ page, foundOrganization }) => {
  const { urlName } = await foundOrganization();
  await page.request.post('/api/orgs', {
    data: { first_name: 'Maya', country_name: 'Sweden', organaization_name: 'Second Traders' },
  });
  await page.goto(`/${urlName}/myprofile`);
  await firstName(page).fill('Maj');
  await page.getByRole('button', { name: /^Switch organization/ }).click();
  await page.getByRole('button', { name: 'Switch', exact: true }).click();
  await answer(page, 'Keep editing');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(firstName(page)).toHaveValue('Maj');

  const logout = async () => {
    await page.getByRole('button', { name: /^Account menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
  };
  await logout();
  await answer(page, 'Keep editing');
  expect((await page.request.get('/api/user')).status()).toBe(200);
  await logout();
  await answer(page, 'Discard changes');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  expect((await page.request.get('/api/user')).status()).toBe(401);
});

test('closing or reloading the page is asked about by the browser', async ({ page, foundOrganization }) => {
  const { urlName } = await foundOrganization();
  await page.goto(`/${urlName}/myprofile`);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  await firstName(page).fill('Maj');
  await page.reload();
  await expect(firstName(page)).toHaveValue('Maya');
  expect(asked).toEqual(['beforeunload']);
});

test('a role that is being named is asked about too, and nothing once it is there', async ({
  page,
  foundOrganization,
}) => {
  const { urlName } = await foundOrganization();
  await page.goto(`/${urlName}/organization/role`);
  await page.getByLabel('Role name').fill('Sales');
  await page.getByRole('link', { name: 'My Apps' }).click();
  await answer(page, 'Keep editing');
  await expect(page.getByLabel('Role name')).toHaveValue('Sales');
  await page.getByRole('button', { name: 'Add role' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sales' })).toBeVisible();
  await page.getByRole('link', { name: 'My Apps' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Apps' })).toBeVisible();
});
