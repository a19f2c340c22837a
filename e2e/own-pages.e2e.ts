import type { Page } from '@playwright/test';
import { expect, judge, test } from './fixtures.ts';

// A person without an organization can still open their own pages.

const menu = (page: Page) => page.getByRole('button', { name: /^Account menu/ });

test('the account menu leads to the own pages, and the logo home', async ({ page, signUpConfirmed }) => {
  await signUpConfirmed();
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
  await menu(page).click();
  await page.getByRole('menuitem', { name: 'My Profile' }).click();
  await expect(page).toHaveURL(/\/account\/myprofile$/);
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeFocused();
  await page.getByLabel('First name').fill('Maya');
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await expect(page.getByText('Profile updated')).toBeVisible();
  await judge(page);

  const links = page.getByRole('navigation', { name: 'Account pages' }).getByRole('link');
  await expect(links).toHaveText(['My Profile', 'Communications', 'Signin Devices', 'Delete Account']);
  await links.filter({ hasText: 'Signin Devices' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Signed in since' })).toHaveCount(1);
  await links.filter({ hasText: 'Delete Account' }).click();
  await expect(page.getByText('You are in no organization')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: 'Delete account' })).toBeEnabled();
  await links.filter({ hasText: 'Communications' }).click();
  await expect(page.getByLabel('Product offers')).toBeVisible();
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
});
