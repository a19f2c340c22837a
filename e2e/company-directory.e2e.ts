import { scimClient } from '#server/testing/directories.ts';
import { addRole, invite, join, openMembers, row } from './colleagues.ts';
import { newDomain, proveDomain, test } from './company-fixtures.ts';
import { expect, judge } from './fixtures.ts';
import { choose, press, tabTo } from './keyboard.ts';

test('a Super Admin connects a directory, gives its groups roles and revokes its token', async ({
  page,
  portal,
  names,
  company,
  elsewhere,
}) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  const domain = newDomain();
  await proveDomain(page, names, domain);
  await page.goto(`/${urlName}/organization/signin`);
  await expect(page.getByText('No directory connected')).toBeVisible();
  await press(page, 'Make token');
  const dialog = page.getByRole('dialog', { name: 'Make a token for the directory' });
  await expect(dialog.getByLabel('Role of new people')).toHaveValue(/\d/);
  await judge(page);
  await press(page, 'Make token');
  const made = page.getByRole('dialog', { name: 'Token of the directory' });
  const token = await made.getByLabel('Token', { exact: true }).inputValue();
  const address = await made.getByLabel('Address for the directory', { exact: true }).inputValue();
  expect(address).toBe(`${portal.url}/api/scim/v2`);
  await judge(page);
  await press(page, 'Done');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('The directory has sent nobody yet.')).toBeVisible();
  await expect(page.getByText('Until its first call, new colleagues join as before.')).toBeVisible();

  const directory = scimClient(portal, token);
  const person = (userName: string) => ({ userName, active: true });
  const tom = await invite(page, 'Tom Berg', 'Admin', '', `tom@${domain}`);
  await join(portal, (await elsewhere()).request, tom);
  const { id } = (await directory.post('/Users', person(tom.email))).body;
  expect((await directory.post('/Users', person(`kim@${domain}`))).status).toBe(201);
  expect((await directory.post('/Users', person('kim@elsewhere.example'))).status).toBe(400);
  const group = { displayName: 'Field sales', members: [{ value: id }] };
  expect((await directory.post('/Groups', group)).status).toBe(201);

  await page.reload();
  await expect(page.getByText('The directory manages 2 people.')).toBeVisible();
  await expect(page.getByText('It alone adds people now')).toBeVisible();
  await press(page, '1 refused call');
  await expect(page.getByText('POST /Users')).toBeVisible();
  await choose(page, 'Role of the group Field sales', 'S', 'Sales');
  await expect(page.getByText('Role of the group saved')).toBeVisible();
  await judge(page);

  // The members' page locks what the directory manages.
  const MANAGED = 'Managed by your company directory.';
  await openMembers(page, urlName);
  await expect(row(page, `kim@${domain}`).getByRole('button', { name: 'Send again' })).toBeVisible();
  await press(page, 'Edit Tom Berg');
  await expect(page.getByText(MANAGED).first()).toBeVisible();
  await expect(page.getByLabel('First name')).not.toBeEditable();
  await expect(page.getByRole('dialog').getByLabel('Role', { exact: true })).toBeDisabled();
  await judge(page);
  await tabTo(page, 'Status');
  await page.keyboard.press('Escape');
  await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  await openMembers(page, urlName);
  await tabTo(page, `Edit Tom Berg: ${MANAGED}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').getByText(MANAGED)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goto(`/${urlName}/organization/signin`);
  await press(page, 'Revoke the token');
  await press(page, 'Revoke token');
  await expect(page.getByText('Token revoked', { exact: true })).toBeVisible();
  expect((await directory.post('/Users', person(`lee@${domain}`))).status).toBe(401);
});
