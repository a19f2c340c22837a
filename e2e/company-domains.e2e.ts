import { newDomain, recordOf, test } from './company-fixtures.ts';
import { confirmedAt, expect, judge } from './fixtures.ts';
import { choose, press, type } from './keyboard.ts';

test('a Super Admin proves a domain, and lets a colleague in who asks', async ({
  page,
  portal,
  names,
  enter,
  elsewhere,
}) => {
  const domain = newDomain();
  const record = recordOf(domain);
  const { urlName } = await enter('organization');
  await press(page, /^Company sign-in$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Company sign-in' })).toBeFocused();
  await expect(page.getByText('No domains yet')).toBeVisible();
  await judge(page);
  await press(page, 'Add domain');
  await type(page, 'Domain', 'northwind');
  await press(page, 'Add domain');
  await expect(page.getByText('Enter a domain, such as acme.example.')).toBeVisible();
  await judge(page);
  await type(page, 'Domain', `https://${domain}/`);
  await press(page, 'Add domain');
  await expect(page.getByText('Waiting for the record')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(record);
  const value = await page.getByLabel('Value', { exact: true }).inputValue();

  names.text(record, []);
  await press(page, 'Check now');
  await expect(page.getByText(`There is no TXT record at ${record} yet.`)).toBeVisible();
  names.text(record, ['v=spf1 -all']);
  await press(page, 'Check now');
  await expect(page.getByRole('alert').getByRole('listitem')).toHaveText('v=spf1 -all');
  await judge(page);
  names.text(record, []);
  names.text(`${record}.${domain}`, [value]);
  await press(page, 'Check now');
  await expect(page.getByText(`The record is at ${record}.${domain}`)).toBeVisible();
  names.text(record, [value]);
  await press(page, 'Check now');
  await expect(page.getByText('Proven', { exact: true })).toBeVisible();
  await press(page, 'Change joining');
  await choose(page, 'They join', 'On', 'On request');
  await judge(page);
  await press(page, 'Save changes');
  await expect(page.getByText('People may ask to join.')).toBeVisible();

  const colleague = await elsewhere();
  const email = await confirmedAt(portal, colleague.request, `tom@${domain}`);
  await colleague.goto('/');
  await press(colleague, 'Ask to join Northwind Traders');
  await expect(colleague.getByText(/^You asked on /)).toBeVisible();
  await judge(colleague);
  await press(colleague, 'Withdraw the request');
  await press(colleague, 'Ask to join Northwind Traders');
  await expect(colleague.getByText(/^You asked on /)).toBeVisible();

  await page.goto(`/${urlName}/organization`);
  await expect(page.getByRole('heading', { name: 'People who ask to join' })).toBeVisible();
  await judge(page);
  await press(page, 'Let in');
  await expect(page.getByText('This field is required.')).toBeVisible();
  await choose(page, 'Role of', 'Ad', 'Admin');
  await press(page, 'Let in');
  await expect(page.getByText(`${email} is now a member.`)).toBeVisible();
  await expect(page.getByRole('row', { name: email })).toContainText('Admin');
  await colleague.goto('/');
  await expect(colleague).toHaveURL(new RegExp(`/${urlName}/`));

  await page.goto(`/${urlName}/organization/signin`);
  await press(page, `Remove ${domain}`);
  await press(page, 'Remove domain');
  await expect(page.getByText('No domains yet')).toBeVisible();
});
