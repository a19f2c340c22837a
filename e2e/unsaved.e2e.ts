import type { Page } from '@playwright/test';
import { expect, expectAccessible, foundAt, test } from './fixtures.ts';

// Unsaved changes are not lost without a question.

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard changes?' });
const firstName = (page: Page) => page.getByLabel('First name');
const answer = (page: Page, name: string) => question(page).getByRole('button', { name }).click();

test('another page opens only after a question', async ({ page, enter }) => {
  const { urlName } = await enter('myapps');
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

  // Back asks as well, and a link to the current page does not.
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

  // None is asked once all changes are reverted or saved.
  await firstName(page).fill('Maj');
  await firstName(page).fill('Maya');
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Apps' })).toBeVisible();
  await page.getByRole('link', { name: 'My Profile' }).click();
  await firstName(page).fill('Maj');
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await expect(page.getByText('Profile updated')).toBeVisible();
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Apps' })).toBeVisible();
});

test('logging out and switching the organization ask first', async ({ page, company }) => {
  const { urlName } = await company();
  await foundAt(page.request, 'Second Traders');
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

test('the browser asks before the page is closed or reloaded', async ({ page, enter }) => {
  await enter('myprofile');
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  await firstName(page).fill('Maj');
  await page.reload();
  await expect(firstName(page)).toHaveValue('Maya');
  expect(dialogs).toEqual(['beforeunload']);
});
