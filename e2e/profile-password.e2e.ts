import type { Page } from '@playwright/test';
import { expect, PASSWORD, signIn, test } from './fixtures.ts';

const NEW = 'a wholly other arch';
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Change password' });
const open = (page: Page) => page.getByRole('button', { name: 'Change password' }).click();
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save changes' });
const field = (page: Page, label: 'Current password' | 'New password' | 'Confirm new password') =>
  dialog(page).getByLabel(label, { exact: true });

async function fill(page: Page, current: string, chosen: string, again = chosen) {
  await field(page, 'Current password').fill(current);
  await field(page, 'New password').fill(chosen);
  await field(page, 'Confirm new password').fill(again);
}

test('a changed password ends all other sessions', async ({ page, company, elsewhere }) => {
  const { urlName, email } = await company();
  const other = await elsewhere();
  await signIn(other, email);
  await other.waitForURL('**/myprofile');

  await page.goto(`/${urlName}/myprofile`);
  await open(page);
  await expect(dialog(page)).toContainText('When it changes, every other device is signed out.');
  await fill(page, PASSWORD, NEW);
  await save(page).dblclick();
  await expect(page.getByText('Password updated. Every other device is signed out.')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Change password' })).toBeFocused();
  await open(page);
  await expect(field(page, 'Current password')).toBeFocused();
  for (const label of ['Current password', 'New password', 'Confirm new password'] as const)
    await expect(field(page, label)).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();
  await other.goto(`/${urlName}/myprofile`);
  await other.waitForURL('**/login*');
  await signIn(other, email, NEW);
  await other.waitForURL('**/myprofile');
});

test('every rule has its message, and a password that is too short costs no try', async ({ page, enter }) => {
  await enter('myprofile');
  await open(page);
  const tries: string[] = [];
  page.on('request', (request) => request.url().endsWith('/changepassword') && tries.push(request.url()));
  const rules: [current: string, chosen: string, again: string, ...messages: string[]][] = [
    [PASSWORD, '', '', 'This field is required.'],
    ['', NEW, '', 'This field is required.'],
    ['7 signs', NEW, NEW, 'Please use at least 8 characters.'],
    [PASSWORD, 'short', 'short', 'Please use at least 8 characters.'],
    [PASSWORD, `it's an arch`, `it's an arch`, `Please leave out " < > and '.`],
    [PASSWORD, NEW, `${NEW}!`, 'The two passwords are not the same.'],
    [PASSWORD, PASSWORD, PASSWORD, 'The new password must differ from the current one.'],
    [PASSWORD, 'password123', 'password123', 'This password is on lists of common passwords.'],
    ['not the one', NEW, NEW, 'Invalid crendentials'],
  ];
  for (const [current, chosen, again, ...messages] of rules) {
    await fill(page, current, chosen, again);
    await save(page).click();
    for (const message of messages) await expect(dialog(page).getByText(message).first()).toBeVisible();
    await expect(field(page, 'Current password')).toHaveValue(current);
    if (current === '7 signs') expect(tries).toEqual([]);
  }
});
