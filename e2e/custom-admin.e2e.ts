import type { Page } from '@playwright/test';
import { invite, join, openMembers, organizationOf, row } from './colleagues.ts';
import { expect, expectAccessible, judge, test } from './fixtures.ts';
import type { Portal } from './portal.ts';

// An admin with a custom role of few rights: roles and rights they cannot give are locked, with the reason.

async function roleWith(page: Page, role_name: string, modules: Record<number, object>, is_admin = 0) {
  const { orgId: org_id } = await organizationOf(page);
  const answer = await page.request.post('/api/role', { data: { org_id, role_name, is_admin } });
  const { response } = (await answer.json()) as { response: { Id: number } };
  const none = { create: 0, read: 0, update: 0, delete: 0 };
  const sign = { 1: none, 2: none, 3: none, 4: none, 5: none, ...modules };
  const data = { org_id, role_id: response.Id, permission: { sign } };
  expect((await page.request.put('/api/role', { data })).ok()).toBe(true);
  return response.Id;
}

/** A lead who may create documents, a role with one more right, and a role with fewer. */
async function leadOf(page: Page, theirs: Page, portal: Portal) {
  const few = { create: 1, read: 1, update: 0, delete: 0 };
  await roleWith(page, 'Lead', { 1: few }, 1);
  const writer = await roleWith(page, 'Writer', { 1: { ...few, update: 1 } });
  await roleWith(page, 'Reader', { 1: { ...few, create: 0 } });
  const lead = await invite(page, 'Tom Okafor', 'Lead');
  await join(portal, theirs.request, lead);
  return { page: theirs, writer };
}

const locked = {
  'Super Admin': 'only a Super Admin can give it',
  Admin: 'your role lacks Edit: Document, Delete: Document, Create: Template and 15 more',
  Writer: 'your role lacks Edit: Document',
};

const closed = {
  'applications/1': 'Only Super Admins manage applications.',
  'webhooks/1': 'Only Super Admins manage webhooks.',
  data: 'Only Super Admins download the organization’s data.',
};

test('roles that a custom admin cannot give are locked', async ({ page, elsewhere, portal, company }) => {
  const { urlName } = await company();
  const lead = await leadOf(page, await elsewhere(), portal);
  await invite(page, 'Priya Nair', 'Writer');
  await openMembers(lead.page, urlName);
  const expectLocks = async (label: string, except: readonly string[] = []) => {
    const field = lead.page.getByRole('dialog').getByLabel(label, { exact: true });
    for (const [name, why] of Object.entries(locked))
      if (!except.includes(name))
        await expect(field.getByRole('option', { name: `${name} (${why})`, disabled: true })).toHaveCount(1);
    return field;
  };

  await lead.page.getByRole('button', { name: 'Add member' }).click();
  const role = await expectLocks('Role');
  await expect(role.locator('option:checked')).toHaveText('Reader');
  await judge(lead.page);
  await lead.page.keyboard.press('Escape');
  await lead.page.getByRole('button', { name: 'Invite many' }).click();
  await expectLocks('Role for all');
  await lead.page.keyboard.press('Escape');

  // The member may keep a role that the lead could not give.
  await row(lead.page, 'Priya Nair').getByRole('button', { name: 'Edit' }).click();
  const now = await expectLocks('Role', ['Writer']);
  await expect(now.locator('option:checked')).toHaveText('Writer');
  await lead.page.keyboard.press('Escape');
  await row(lead.page, 'Priya Nair')
    .getByRole('button', { name: /change the role/ })
    .click();
  await expectLocks('New role', ['Writer']);
  await lead.page.keyboard.press('Escape');

  await lead.page.getByRole('button', { name: 'Delete Reader' }).click();
  const replacement = await expectLocks('Role in its place');
  await expect(
    replacement.getByRole('option', { name: 'Lead (only a Super Admin can choose it here)', disabled: true }),
  ).toHaveCount(1);
  await expect(replacement).toHaveValue('');
  await expectAccessible(lead.page);

  for (const [inner, why] of Object.entries(closed)) {
    await lead.page.goto(`/${urlName}/organization/${inner}`);
    await expect(lead.page.getByText(why)).toBeVisible();
  }
});

test('rights that a custom admin lacks are locked', async ({ page, elsewhere, portal, company }) => {
  const { urlName } = await company();
  const { page: theirs, writer } = await leadOf(page, await elsewhere(), portal);
  await theirs.goto(`/${urlName}/organization/role/${writer}`);
  const box = (name: string) => theirs.getByRole('checkbox', { name, exact: true });
  const why = 'locked: your role does not hold this right';
  await expect(theirs.getByText('Rights that your own role does not hold are locked')).toBeVisible();
  const edit = box(`Edit: Document, ${why}`);
  await expect(edit).toBeChecked();
  await expect(edit).toHaveAttribute('aria-disabled', 'true');
  await edit.click({ force: true });
  await expect(edit).toBeChecked();
  // Read stays, because Edit requires it.
  await expect(box(`Read: Document, ${why}`)).toBeChecked();
  await expect(box(`Create: Template, ${why}`)).not.toBeChecked();
  await judge(theirs);
  await box('All of Document').click();
  await expect(box('Create: Document')).not.toBeChecked();
  await expect(edit).toBeChecked();
  await theirs.getByRole('button', { name: 'Save changes' }).click();
  await expect(theirs.getByText('Sign permission updated')).toBeVisible();
  await theirs.reload();
  await expect(box('Create: Document')).not.toBeChecked();
  await expect(edit).toBeChecked();
});
