import type { APIRequestContext, Page } from '@playwright/test';
import { addRole, invite, join, openMembers, organizationOf, row, setStatus, test } from './colleagues.ts';
import { expect, expectAccessible, judge } from './fixtures.ts';

// Two people work at once: a page older than the other person's change decides nothing.

const rolesTable = (page: Page) => page.getByRole('table', { name: 'Roles' });
const warning = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'Someone has changed this meanwhile. Nothing was saved.' });

/** The member's role and status from the server. */
async function roleOf(page: Page, userId: number) {
  const { orgId } = await organizationOf(page);
  const answer = await page.request.get(`/api/orgusers?org_id=${orgId}&user_id=${userId}`);
  const { response } = (await answer.json()) as { response: { members: { role: string; status: number }[] } };
  return response.members[0];
}

async function save(request: APIRequestContext, path: string, data: object) {
  expect((await request.put(path, { data })).ok()).toBe(true);
}

test('a stale role deletion promotes nobody', async ({ page, portal, request, company }) => {
  const { urlName } = await company();
  await addRole(page, 'Clerk');
  await openMembers(page, urlName);
  const clerkRow = rolesTable(page).getByRole('row').filter({ hasText: 'Clerk' });
  await expect(clerkRow.getByRole('cell').nth(3)).toHaveText('0');
  const tom = await invite(page, 'Tom Berg', 'Clerk');
  await join(portal, request, tom);

  // The dialog looks the members up when it opens, and preselects no admin role.
  await page.getByRole('button', { name: 'Delete Clerk' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Clerk?' });
  await expect(dialog).toContainText('One person holds this role');
  await expect(dialog.getByLabel('New role for them')).toHaveValue('');
  await judge(page);
  await expect(dialog.getByRole('button', { name: 'Delete role' })).toBeDisabled();

  // One more member joins the role while the dialog is open.
  await dialog.getByLabel('New role for them').selectOption('Super Admin');
  const ann = await invite(page, 'Ann Holm', 'Clerk');
  await dialog.getByRole('button', { name: 'Delete role' }).click();
  await expect(warning(page)).toBeVisible();
  await expect(dialog).toContainText('2 people hold this role');
  for (const { userId } of [tom, ann]) expect(await roleOf(page, userId)).toMatchObject({ role: 'Clerk' });

  await dialog.getByLabel('New role for them').selectOption('Admin');
  await dialog.getByRole('button', { name: 'Delete role' }).click();
  await expect(page.getByText('Role deleted. 2 moved to Admin.')).toBeVisible();
});

test('the popup closes if another person has deleted the role', async ({ page, company }) => {
  const { urlName } = await company();
  const [clerk, sales] = [await addRole(page, 'Clerk'), await addRole(page, 'Sales')];
  await openMembers(page, urlName);
  await expect(page.getByRole('button', { name: 'Delete Clerk' })).toBeVisible();
  const { orgId } = await organizationOf(page);
  const deletion = { org_id: orgId, role_id: clerk, new_role_id: sales };
  expect((await page.request.delete('/api/role', { data: deletion })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Delete Clerk' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This role was not found.' })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(rolesTable(page).getByText('Clerk')).toHaveCount(0);
});

test('an edit reverts no change of another admin', async ({ page, portal, request, company, colleague }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  const priya = await invite(page, 'Priya Nair', 'Sales');
  await join(portal, request, priya);
  const other = await colleague();
  await openMembers(page, urlName);
  await expect(row(page, 'Priya Nair')).toContainText('Active');

  // The popup shows the current values when it opens.
  await setStatus(other.page, priya, 'Admin', 2);
  await row(page, 'Priya Nair').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Priya' });
  await expect(dialog.getByLabel('Role').locator('option:checked')).toHaveText('Admin');

  // Once it is open, the server refuses.
  await setStatus(page, priya, 'Sales', 4);
  await dialog.getByLabel('Designation').fill('Lead');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(warning(page)).toBeVisible();
  await expect(dialog.getByLabel('Status').locator('option:checked')).toHaveText('Disabled');
  await expect(dialog.getByLabel('Designation')).toHaveValue('');
  expect(await roleOf(page, priya.userId)).toMatchObject({ role: 'Sales', status: 4 });
  await dialog.getByLabel('Designation').fill('Lead');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Member updated')).toBeVisible();
  expect(await roleOf(page, priya.userId)).toMatchObject({ role: 'Sales', status: 4 });
});

test('withdrawing an invitation deletes no joined person', async ({ page, portal, request, company }) => {
  const { urlName } = await company();
  const tom = await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  await row(page, 'Tom Berg').getByRole('button', { name: 'Withdraw the invitation' }).click();
  const question = page.getByRole('alertdialog', { name: 'Withdraw the invitation of Tom Berg?' });
  await expect(question).toBeVisible();
  await join(portal, request, tom);
  await question.getByRole('button', { name: 'Withdraw invitation' }).click();
  await expect(warning(page)).toBeVisible();
  await expect(page.getByRole('alertdialog', { name: 'Delete Tom Berg?' })).toBeVisible();
  expect(await roleOf(page, tom.userId)).toMatchObject({ status: 2 });
  await expectAccessible(page);
});

test('rights that another admin changed stay, with local ticks on top', async ({ page, company }) => {
  const { urlName } = await company();
  const id = await addRole(page, 'Sales');
  const { orgId } = await organizationOf(page);
  await page.goto(`/${urlName}/organization/role/${id}`);
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  await box('Read: Document').check();
  const none = { create: 0, read: 0, update: 0, delete: 0 };
  const sign = { 1: none, 2: { ...none, read: 1 }, 3: none, 4: none, 5: none };
  await save(page.request, '/api/role', { org_id: orgId, role_id: id, permission: { sign } });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(warning(page)).toBeVisible();
  await expect(box('Read: Template')).toBeChecked();
  await expect(box('Read: Document')).toBeChecked();
  await expect(page.getByText('1 unsaved change')).toBeVisible();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Sign permission updated')).toBeVisible();
  await page.reload();
  await expect(box('Read: Template')).toBeChecked();
  await expect(box('Read: Document')).toBeChecked();
});
