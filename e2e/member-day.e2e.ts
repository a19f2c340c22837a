import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { addRole, invite } from './colleagues.ts';
import { expect, expectAccessible, inMotion, PASSWORD, test } from './fixtures.ts';
import { choose, chooseFile, pick, press, pressEntry, tabTo, turnTwoStepOn, type } from './keyboard.ts';
import { pictureFile } from './pictures.ts';
import type { Portal } from './portal.ts';

// A member's first day in one go and by keyboard alone: from the invitation to deleting the account, and back
// again.

test.use(inMotion);

const NEW_PASSWORD = 'a wholly other arch';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Day = { readonly page: Page; readonly portal: Portal; readonly email: string };

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const expectStatus = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();
const picture = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('button', { name: /^Account/ })
    .locator('img');
const visit = async (page: Page, name: string) => {
  await press(page, name);
  await expect(title(page, name)).toBeFocused();
};

async function createPassword({ page, portal, email }: Day) {
  await page.goto(await portal.mailedLink(email));
  await expect(title(page, 'Create your password')).toBeVisible();
  await type(page, 'New password', PASSWORD);
  await type(page, 'Repeat password', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/keyboard-traders*/myprofile');
  await expect(page.getByLabel('First name')).toHaveValue('Nora');
  await expectAccessible(page);
}

async function tellAboutOneself({ page }: Day) {
  await type(page, 'First name', 'Eleonora');
  await type(page, 'Last name', 'Holm-Berg');
  await pick(page, 'Country', 'norw', /^Norway$/);
  await pick(page, 'Time zone', 'oslo', /Europe\/Oslo$/);
  await press(page, 'Save changes');
  await expectStatus(page, 'Profile updated');
  await expect(page.getByRole('button', { name: 'Account menu of Eleonora Holm-Berg' })).toBeVisible();
  await type(page, 'Phone', '+47 21 09 00 00');
  await page.keyboard.press('Enter');
  await expectStatus(page, 'Contact information updated');
}

async function showOneself({ page }: Day) {
  await chooseFile(page, 'Add picture', await pictureFile(page, '#0a6b60', 900, 600));
  await expect(page.getByRole('dialog', { name: 'Crop your picture' })).toBeVisible();
  await tabTo(page, 'Zoom');
  await page.keyboard.press('ArrowRight');
  await expectAccessible(page);
  await press(page, 'Save image');
  await expectStatus(page, 'Picture updated');
  await expect(picture(page)).toHaveAttribute('src', /^\/drive\/profile\?file_id=/);
}

async function changePassword({ page }: Day) {
  await press(page, 'Change password');
  await type(page, 'Current password', PASSWORD);
  await type(page, 'New password', NEW_PASSWORD);
  await type(page, 'Confirm new password', NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expectStatus(page, 'Password updated.');
}

async function signOutWithTwoSteps({ page }: Day) {
  await turnTwoStepOn(page);
  await expectStatus(page, 'Two-step sign-in is on');
  await press(page, /^Account menu of/);
  await pressEntry(page, 'End', 'Logout');
  await page.waitForURL('**/login');
}

/** Signs in with the password and with the code of the `count`th mail that holds one. */
async function signIn({ page, portal, email }: Day, count: number) {
  await expect(title(page, 'Welcome back')).toBeVisible();
  await type(page, 'Email', email);
  await type(page, 'Password', NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: /^\d-digit code$/ })).toBeFocused();
  await page.keyboard.type(await portal.mailedCode(email, count));
  await page.waitForURL('**/keyboard-traders*/myprofile');
  await expect(title(page, 'My Profile')).toBeVisible();
}

async function chooseMails({ page }: Day) {
  await visit(page, 'Communications');
  await tabTo(page, 'Product offers');
  await page.keyboard.press('Space');
  await expectStatus(page, 'Saved');
  await expect(page.getByRole('checkbox', { name: 'Product offers' })).toBeChecked();
}

/** The same person in a different browser. */
async function enterAt(page: Page, day: Day) {
  await page.goto('/login');
  await signIn({ ...day, page }, 2);
  await visit(page, 'Communications');
  await expect(page.getByRole('checkbox', { name: 'Product offers' })).toBeChecked();
}

async function endTheOther({ page }: Day, other: Page) {
  // Simulates that the person returns to this window.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await press(page, /^Notifications, 1 unread/);
  const news = /^New sign-in to your account with Firefox on Linux/;
  await expect(page.getByRole('dialog').getByRole('link', { name: news })).toBeVisible();
  await press(page, news);
  await expect(title(page, 'Signin Devices')).toBeVisible();
  await press(page, /^Delete Firefox/);
  await expect(page.getByRole('alertdialog', { name: 'Delete this device?' })).toBeVisible();
  await press(page, 'Delete device');
  await expectStatus(page, 'Sign-in device deleted');
  await expect(page.getByRole('button', { name: /^Delete/ })).toBeFocused();

  await tabTo(other, 'Product updates');
  await other.keyboard.press('Space');
  await other.waitForURL('**/login?redirectpath=*');
  await expect(other.getByText('Your session has ended.')).toBeVisible();
}

async function readWhatHappened({ page }: Day) {
  await visit(page, 'Recent Activity');
  await press(page, 'Filter');
  await choose(page, 'About', 'Profile', 'Profile information');
  const sentences = page.getByRole('table', { name: 'Activity' }).locator('tbody td p');
  await expect(sentences).toHaveText(['You uploaded a profile picture', 'You changed your profile']);
  await press(page, 'Show details');
  await press(page, 'Show details');
  await expect(page.getByRole('definition').first()).toContainText('an image');
  await expect(page.getByRole('definition').filter({ hasText: 'Eleonora' })).toHaveText(
    'Nora changed to Eleonora',
  );
  await expectAccessible(page);
}

async function takeItAlong({ page }: Day) {
  const taking = page.waitForEvent('download');
  await press(page, 'Export');
  await pressEntry(page, 'Home', 'As a table (CSV)');
  const rows = (await readFile(await (await taking).path(), 'utf8')).trimEnd().split('\r\n').slice(1);
  expect(rows.map((row) => row.split('","')[4])).toEqual([
    'Eleonora Holm-Berg uploaded a profile picture',
    'Eleonora Holm-Berg changed their profile',
  ]);
}

async function leave({ page }: Day) {
  await visit(page, 'Delete Account');
  await expect(page.getByRole('button', { name: 'Delete account', exact: true })).toBeEnabled();
  await press(page, 'Delete account');
  await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible();
  await type(page, 'Why are you leaving?', 'I am moving on');
  await type(page, 'Password', NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/farewell?*');
  await expect(title(page, 'Goodbye, and thank you')).toBeVisible();
  await expectAccessible(page);
}

async function comeBack({ page, portal, email }: Day) {
  const [link = ''] = /https?:\/\/\S+/.exec(await portal.mailed(email, 'Your account is deactivated')) ?? [];
  await page.goto(link);
  await press(page, 'Restore my account');
  await expect(title(page, 'Welcome back')).toBeFocused();
  await press(page, 'Sign in');
  await page.waitForURL('**/login');
}

async function findEverythingAgain({ page }: Day) {
  await expect(page.getByLabel('First name')).toHaveValue('Eleonora');
  await expect(page.getByLabel('Time zone', { exact: true })).toHaveValue(/Europe\/Oslo$/);
  await expect(picture(page)).toBeVisible();
}

test('a member’s first day by keyboard alone', async ({ page, elsewhere, portal, company }) => {
  test.setTimeout(300_000);
  await company('Keyboard Traders');
  await addRole(page, 'Sales');
  const { email } = await invite(page, 'Nora Holm', 'Sales');
  await page.context().clearCookies();
  const day = { page, portal, email };

  await test.step('create a password', () => createPassword(day));
  await test.step('profile and phone', () => tellAboutOneself(day));
  await test.step('picture', () => showOneself(day));
  await test.step('change the password', () => changePassword(day));
  await test.step('two-step on, and log out', () => signOutWithTwoSteps(day));
  await test.step('sign in with a code', () => signIn(day, 1));
  await test.step('mails', () => chooseMails(day));
  const other = await elsewhere({ userAgent: FIREFOX });
  await test.step('sign in elsewhere', () => enterAt(other, day));
  await test.step('read the notice of it, and end that session', () => endTheOther(day, other));
  await test.step('recent activity', () => readWhatHappened(day));
  await test.step('export', () => takeItAlong(day));
  await test.step('delete the account', () => leave(day));
  await test.step('restore the account', () => comeBack(day));
  await test.step('sign in again', () => signIn(day, 3));
  await findEverythingAgain(day);
});
