import { addRole } from './colleagues.ts';
import { newDomain, proveDomain, test } from './company-fixtures.ts';
import { expect, judge } from './fixtures.ts';
import { choose, press } from './keyboard.ts';

test('a Super Admin connects a directory, gives its groups roles and revokes its token', async ({
  page,
  portal,
  names,
  company,
  request,
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
  await expect(page.getByText('The directory has sent nobody yet.')).toBeVisible();

  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
  const send = async (path: string, data: object) =>
    (await request.post(`${address}${path}`, { headers, data: JSON.stringify(data) })).status();
  const core = 'urn:ietf:params:scim:schemas:core:2.0';
  const person = (userName: string) => ({ schemas: [`${core}:User`], userName, active: true });
  expect(await send('/Users', person(`kim@${domain}`))).toBe(201);
  expect(await send('/Users', person('kim@elsewhere.example'))).toBe(400);
  expect(await send('/Groups', { schemas: [`${core}:Group`], displayName: 'Field sales' })).toBe(201);

  await page.reload();
  await expect(page.getByText('The directory manages 1 person.')).toBeVisible();
  await press(page, '1 refused call');
  await expect(page.getByText('POST /Users')).toBeVisible();
  await choose(page, 'Role of the group Field sales', 'S', 'Sales');
  await expect(page.getByText('Role of the group saved')).toBeVisible();
  await judge(page);
  await press(page, 'Revoke the token');
  await press(page, 'Revoke token');
  await expect(page.getByText('Token revoked', { exact: true })).toBeVisible();
  expect(await send('/Users', person(`lee@${domain}`))).toBe(401);
});
