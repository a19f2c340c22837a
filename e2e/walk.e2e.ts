import type { Page } from '@playwright/test';
import { expect, expectAccessible, inMotion, newEmail, PASSWORD, signIn, tabTo, test } from './fixtures.ts';
import { pressEntry } from './keyboard.ts';

// The main journey with real input: from the first visit to a change that survives signing out and a killed
// process.

test.use({ embedded: true, ...inMotion });

test('a newcomer signs up, confirms, creates an organization, edits the profile, and finds it again', async ({
  page,
  portal,
}) => {
  const email = newEmail();
  await page.goto('/');
  await page.getByRole('link', { name: 'Create a free account' }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my free account' }).click();

  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
  expect(new URL(page.url()).search).toBe('?action=no_org');
  await expect(page.getByRole('status').getByText(email)).toBeVisible();
  await expectAccessible(page);

  const link = await portal.mailedLink(email);
  const mailTab = await page.context().newPage();
  await mailTab.goto('/outbox');
  await mailTab.getByRole('link', { name: 'Confirm your email address' }).first().click();
  await expect(mailTab.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible();
  await mailTab.goto(link);
  await expect(mailTab.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  expect(mailTab.url()).not.toContain('digest');
  await mailTab.close();

  await page.getByLabel('First name').fill('Maya');
  await page.getByLabel('Last name').fill('Lindqvist');
  await page.getByLabel('Organization name').fill('Walking Traders');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.waitForURL('**/walking-traders*/myprofile');
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();
  await expect(page.getByText('Please confirm your email address')).toBeHidden();

  await changeFirstName(page, 'Maj');
  await signOut(page);
  // An open page would see its requests fail while the portal is down.
  await page.goto('about:blank');
  await portal.killAndRestart();

  await signIn(page, email);
  await page.waitForURL('**/walking-traders*/myprofile');
  await expect(page.getByLabel('First name')).toHaveValue('Maj');
  await expect(page.getByLabel('Last name')).toHaveValue('Lindqvist');
});

async function changeFirstName(page: Page, name: string) {
  const save = page.getByRole('button', { name: 'Save changes' }).first();
  await page.getByLabel('First name').fill(name);
  await save.click();
  await expect(page.getByRole('status').getByText('Profile updated')).toBeVisible();
  await expect(page.getByRole('button', { name: `Account menu of ${name} Lindqvist` })).toBeVisible();
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
}

test('the journey works by keyboard alone', async ({ page, portal }) => {
  const email = newEmail();
  const type = async (name: string, text: string) => {
    await tabTo(page, name);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  };
  await page.goto('/');
  await tabTo(page, 'Create a free account');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/signup*');
  await type('Email', email);
  await type('Password', PASSWORD);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
  await type('First name', 'Maya');
  await type('Last name', 'Lindqvist');
  await type('Country', 'swed');
  await expect(page.getByRole('option', { name: 'Sweden' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Country')).toHaveValue('Sweden');
  await type('Organization name', 'Keyboard Traders');
  await tabTo(page, 'Create organization');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/keyboard-traders*/myprofile');

  await page.goto(await portal.mailedLink(email));
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  await tabTo(page, 'Continue');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/keyboard-traders*/myprofile');
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();

  await type('First name', 'Maj');
  await tabTo(page, 'Save changes');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Profile updated')).toBeVisible();

  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Maj');
  await tabTo(page, /^Account menu of/);
  await page.keyboard.press('Enter');
  await pressEntry(page, 'End', 'Logout');
  await page.waitForURL('**/login*');
  await type('Email', email);
  await type('Password', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/keyboard-traders*/myprofile');
  await expect(page.getByLabel('First name')).toHaveValue('Maj');
});
