import { addRole } from './colleagues.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { tabTo } from './keyboard.ts';

const card = (page: Page) => page.getByRole('table', { name: 'Roles' });
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
const grid = (page: Page) => page.getByRole('grid', { name: 'E-signature permissions' });

test('a role is named, then given its rights', async ({ page, enter }) => {
  await enter('organization');
  await page.getByRole('link', { name: 'Add role' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Add role' })).toBeVisible();
  await page.getByRole('button', { name: 'Add role' }).click();
  await expect(page.getByLabel('Role name')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Role name').fill('super  ADMIN');
  await page.getByRole('button', { name: 'Add role' }).click();
  await expect(page.getByText('A role with this name already exists.')).toBeVisible();
  await page.getByLabel('Role name').fill('Sales');
  await page.getByRole('button', { name: 'Add role' }).click();
  await expect(page.getByText('Role added')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Sales' })).toBeVisible();

  // Create includes Read; a row's box selects all four rights, and a column's box all modules.
  await box(page, 'Create: Document').check();
  await expect(box(page, 'Read: Document')).toBeChecked();
  await expect(page.getByText('2 unsaved changes')).toBeVisible();
  await box(page, 'All of Template').check();
  await expect(page.getByText('6 unsaved changes')).toBeVisible();
  await expect(box(page, 'Create, all modules')).toHaveJSProperty('indeterminate', true);
  await box(page, 'Read, all modules').check();
  await expect(box(page, 'Read: Contacts')).toBeChecked();
  await box(page, 'Read: Template').uncheck();
  await expect(box(page, 'Delete: Template')).not.toBeChecked();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Sign permission updated')).toBeVisible();
  await page.reload();
  await expect(box(page, 'Create: Document')).toBeChecked();
  await expect(box(page, 'Read: Template')).not.toBeChecked();
  await expect(page.getByText('All changes saved')).toBeVisible();
});

test('arrows move, space toggles, discard reverts, and leaving asks', async ({ page, enter }) => {
  await enter('organization/role');
  await tabTo(page, 'Role name');
  await page.keyboard.type('Support');
  await page.keyboard.press('Enter');
  await expect(grid(page)).toBeVisible();
  await tabTo(page, 'Create: Document');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(box(page, 'Read: Template')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(box(page, 'Read: Template')).toBeChecked();
  await page.keyboard.press('Home');
  await expect(box(page, 'All of Template')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+End');
  await expect(box(page, 'Delete: Contacts')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Discard', exact: true })).toBeFocused();

  await page.getByRole('link', { name: 'My Apps' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(box(page, 'Read: Template')).not.toBeChecked();
  await page.getByRole('link', { name: 'My Apps' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Apps' })).toBeVisible();
});

test('a role is renamed, and a built-in or deleted one says why not', async ({ page, company }) => {
  const { urlName } = await company();
  const id = await addRole(page, 'Sales');
  await page.goto(`/${urlName}/organization/role/${id}`);
  await page.getByLabel('Role name').fill('Sales <b>');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByText('Please leave out')).toBeVisible();
  await page.getByLabel('Role name').fill('Sales North');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByText('Role renamed')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Sales North' })).toBeVisible();

  await page.goto(`/${urlName}/organization/role/${id + 999}`);
  await expect(page.getByRole('heading', { name: 'This role no longer exists' })).toBeVisible();
  await page.goto(`/${urlName}/organization/role/${id - 1}`);
  const notice = page.getByText('This role is built in');
  await expect(notice).toBeVisible();
  const above = await notice.boundingBox();
  const below = await grid(page).locator('xpath=ancestor::section').boundingBox();
  expect(below!.y - above!.y - above!.height, 'the card keeps its distance').toBeGreaterThan(24);
  await expect(box(page, 'Read: Document')).toBeDisabled();
});

test('a role is deleted after a question, and built-in ones say why not', async ({ page, company }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  await addRole(page, 'Support');
  await page.goto(`/${urlName}/organization`);
  const locked = card(page).getByRole('button', {
    name: 'Admin is built in and can’t be deleted',
    exact: true,
  });
  await expect(locked).toHaveAttribute('aria-disabled', 'true');
  await locked.click({ force: true });
  await expect(page.getByRole('status').filter({ hasText: 'Admin is built in' })).toBeVisible();
  await card(page).getByRole('button', { name: 'Delete Sales' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Sales?' });
  await expect(dialog).toContainText('Nobody holds this role.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(card(page).getByRole('button', { name: 'Delete Sales' })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Delete role' }).click();
  await expect(page.getByText('Role deleted')).toBeVisible();
  await expect(card(page).getByText('Sales')).toHaveCount(0);
});
