import { press, pick, pressEntry, type } from './keyboard.ts';
import { expect, expectAccessible, inMotion, newEmail, PASSWORD, test } from './fixtures.ts';

// The main journey by keyboard alone: from the first visit to a change that survives signing out and a killed
// process.

test.use({ embedded: true, ...inMotion });

test('a newcomer signs up, founds, edits, and finds everything again', async ({ page, portal }) => {
  const email = newEmail();
  const enter = async () => {
    await type(page, 'Email', email);
    await type(page, 'Password', PASSWORD);
    await page.keyboard.press('Enter');
  };
  await page.goto('/');
  await press(page, 'Create a free account');
  await page.waitForURL('**/signup*');
  await enter();
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
  expect(new URL(page.url()).search).toBe('?action=no_org');
  await expect(page.getByRole('status').getByText(email)).toBeVisible();
  await expectAccessible(page);

  const link = await portal.mailedLink(email);
  const mailTab = await page.context().newPage();
  await mailTab.goto('/outbox');
  await press(mailTab, 'Confirm your email address');
  await expect(mailTab.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible();
  await mailTab.goto(link);
  await expect(mailTab.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  expect(mailTab.url()).not.toContain('digest');
  await mailTab.close();

  await type(page, 'First name', 'Maya');
  await type(page, 'Last name', 'Lindqvist');
  await pick(page, 'Country', 'swed', /^Sweden$/);
  await type(page, 'Organization name', 'Walking Traders');
  await press(page, 'Create organization');
  await page.waitForURL('**/walking-traders*/myprofile');
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();
  await expect(page.getByText('Please confirm your email address')).toBeHidden();

  await type(page, 'First name', 'Maj');
  await press(page, 'Save changes');
  await expect(page.getByRole('status').getByText('Profile updated')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account menu of Maj Lindqvist' })).toBeVisible();
  await press(page, /^Account menu of/);
  await pressEntry(page, 'End', 'Logout');
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  // An open page would see its requests fail while the portal is down.
  await page.goto('about:blank');
  await portal.killAndRestart();

  await page.goto('/login');
  await enter();
  await page.waitForURL('**/walking-traders*/myprofile');
  await expect(page.getByLabel('First name')).toHaveValue('Maj');
  await expect(page.getByLabel('Last name')).toHaveValue('Lindqvist');
});
