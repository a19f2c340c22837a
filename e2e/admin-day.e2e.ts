import type { Page } from '@playwright/test';
import { row, table } from './colleagues.ts';
import { confirmedAt, expect, inMotion, newEmail, PASSWORD, test } from './fixtures.ts';
import { tabTo } from './keyboard.ts';
import type { Portal } from './portal.ts';

// An admin's first day in one go, from signing up to logging out, with two colleagues in their own browsers.

test.use(inMotion);

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const expectStatus = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });

async function signUpAndConfirm(page: Page, portal: Portal) {
  const email = newEmail();
  await page.goto('/');
  await page.getByRole('link', { name: 'Create a free account' }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Create my free account');
  await expect(title(page, 'Here you go!')).toBeVisible();
  const mailTab = await page.context().newPage();
  await mailTab.goto(await portal.mailedLink(email));
  await expect(title(mailTab, 'Your address is confirmed')).toBeVisible();
  await mailTab.close();
}

async function onboard(page: Page) {
  await page.getByLabel('First name').fill('Maya');
  await page.getByLabel('Last name').fill('Lindqvist');
  await page.getByLabel('Organization name').fill('Daylight Traders');
  await press(page, 'Create organization');
  await page.waitForURL('**/daylight-traders*/myprofile');
}

async function nameAndPaintTheApplication(page: Page) {
  await page.getByRole('link', { name: 'Organization', exact: true }).click();
  await page.getByLabel('Application name').fill('Daylight');
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await expectStatus(page, 'Application updated');
  await expect(page).toHaveTitle('Organization · Daylight');
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });
  const chooser = page.waitForEvent('filechooser');
  await press(page, 'Replace the light icon');
  await (await chooser).setFiles({ name: 'icon.png', mimeType: 'image/png', buffer: picture });
  await page.getByRole('dialog').getByLabel('Zoom').press('ArrowRight');
  await press(page, 'Save image');
  await expectStatus(page, 'Icon updated');
  await expect(page.getByRole('img', { name: 'Light icon' })).toHaveAttribute('src', /^\/drive\/appicon\?/);
}

async function addSalesByKeyboard(page: Page) {
  await tabTo(page, 'Add role');
  await page.keyboard.press('Enter');
  await expect(title(page, 'Add role')).toBeFocused();
  await tabTo(page, 'Role name');
  await page.keyboard.type('Sales');
  await page.keyboard.press('Enter');
  await expect(title(page, 'Sales')).toBeVisible();
  await tabTo(page, 'Create: Document');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await expect(box(page, 'All of Template')).toBeChecked();
  await expect(page.getByText('6 unsaved changes')).toBeVisible();
  await tabTo(page, 'Save changes');
  await page.keyboard.press('Enter');
  await expectStatus(page, 'Sign permission updated');
  await expect(box(page, 'Read: Document')).toBeChecked();
  await page.getByRole('main').getByRole('link', { name: 'Organization' }).click();
}

async function invite(page: Page, name: string, email: string) {
  await page.getByRole('button', { name: 'Add member' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  await dialog.getByLabel('First name').fill(name);
  await dialog.getByLabel('Email').fill(email);
  await expect(dialog.getByRole('option', { name: 'Sales' })).toHaveJSProperty('selected', true);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(row(page, name).getByText('Invited')).toBeVisible();
}

async function createPassword(theirs: Page, link: string) {
  await theirs.goto(link);
  await theirs.getByLabel('New password').fill(PASSWORD);
  await theirs.getByLabel('Repeat password').fill(PASSWORD);
  await theirs.keyboard.press('Enter');
  await theirs.waitForURL('**/daylight-traders*/myprofile');
  await expect(theirs.getByRole('banner')).toContainText('Daylight');
}

async function joinByLink(theirs: Page, link: string) {
  await theirs.goto(link);
  await expect(title(theirs, 'Join Daylight Traders?')).toBeVisible();
  await press(theirs, 'Join');
  await theirs.waitForURL('**/daylight-traders*/myprofile');
}

async function editAndDisable(page: Page, name: string) {
  const dialog = page.getByRole('dialog', { name: `Edit ${name}` });
  await press(page, `Edit ${name}`);
  await dialog.getByLabel('Designation').fill('Field Sales');
  await page.keyboard.press('Enter');
  await expect(row(page, name)).toContainText('Field Sales');
  await press(page, `Edit ${name}`);
  await dialog.getByLabel('Status').selectOption('Disabled');
  await press(page, 'Save changes');
  await expect(row(page, name).getByText('Disabled')).toBeVisible();
}

async function deleteMember(page: Page, name: string) {
  await press(page, `Delete ${name}`);
  await press(page, 'Delete member');
  await expectStatus(page, 'Member deleted');
  await expect(row(page, name)).toHaveCount(0);
}

async function deleteSales(page: Page) {
  await press(page, 'Delete Sales');
  const dialog = page.getByRole('dialog', { name: 'Delete Sales?' });
  await expect(dialog).toContainText('One person holds this role or is invited with it.');
  await expect(dialog.getByRole('button', { name: 'Delete role' })).toBeDisabled();
  await dialog.getByLabel('New role for them').selectOption('Admin');
  await press(page, 'Delete role');
  await expectStatus(page, 'Role deleted. 1 moved to Admin.');
}

async function assign(page: Page, name: string, from: string, to: string) {
  await press(page, `${from}, change the role of ${name}`);
  await page.getByLabel('New role', { exact: true }).selectOption(to);
  await press(page, 'Assign role');
  await expect(row(page, name)).toContainText(to);
}

async function foundAnotherAndLeaveTheFirst(page: Page) {
  await press(page, 'Create organization');
  await page.getByRole('dialog').getByLabel('Organization name').fill('Evening Traders');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/evening-traders*/organization');
  await page.getByRole('button', { name: /^Switch organization/ }).click();
  await press(page, 'Switch');
  await page.waitForURL('**/daylight-traders*/organization');
  await page.getByRole('button', { name: /^Switch organization/ }).click();
  await press(page, 'Leave Daylight Traders');
  await press(page, 'Leave organization');
  await page.waitForURL('**/evening-traders*/organization');
  await expect(page.getByRole('banner')).not.toContainText('Daylight');
}

test('an admin’s first day', async ({ page, elsewhere, portal }) => {
  test.setTimeout(300_000);
  const tom = { email: newEmail('tom'), page: await elsewhere() };
  const noras = await elsewhere();
  const nora = { email: await confirmedAt(portal, noras.request), page: noras };
  await test.step('sign up and confirm', () => signUpAndConfirm(page, portal));
  await test.step('onboard', () => onboard(page));
  await test.step('name and icon', () => nameAndPaintTheApplication(page));
  await test.step('a role by keyboard', () => addSalesByKeyboard(page));
  await test.step('invite two', async () => {
    await invite(page, 'Tom', tom.email);
    await invite(page, 'Nora', nora.email);
    await expect(page.getByText('3 people, 2 invitations waiting')).toBeVisible();
  });
  await test.step('both join', async () => {
    await createPassword(tom.page, await portal.mailedLink(tom.email));
    await joinByLink(nora.page, await portal.mailedLink(nora.email, 2));
    await page.reload();
    await expect(table(page).getByText('Active', { exact: true })).toHaveCount(3);
  });
  await test.step('edit, disable and delete one', async () => {
    await editAndDisable(page, 'Tom');
    await deleteMember(page, 'Tom');
    await portal.mailed(tom.email, 'You are no longer a member of Daylight Traders');
  });
  await test.step('the role is deleted, and the other colleague is promoted', async () => {
    await deleteSales(page);
    await assign(page, 'Nora', 'Admin', 'Super Admin');
  });
  await test.step('a second organization', () => foundAnotherAndLeaveTheFirst(page));
  await test.step('log out', async () => {
    await page.getByRole('button', { name: /^Account menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(title(page, 'Welcome back')).toBeVisible();
  });
});
