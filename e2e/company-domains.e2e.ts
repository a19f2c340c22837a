import dns from 'node:dns';
import { startNameServer } from '#server/testing/name-server.ts';
import { confirmedAt, expect, judge, test as base } from './fixtures.ts';
import { choose, press, type } from './keyboard.ts';
import { Portal } from './portal.ts';

type Names = Awaited<ReturnType<typeof startNameServer>>;
/** The portal asks the name server of the tests. */
const test = base.extend<object, { names: Names }>({
  names: [
    async ({ playwright: _ }, use) => {
      const names = await startNameServer();
      await use(names);
      names.close();
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ names: _ }, use) => {
      const code = `import { setServers } from 'node:dns'; setServers(${JSON.stringify(dns.getServers())})`;
      const portal = await Portal.start({
        RATE_LIMIT_FACTOR: '1000',
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}`,
      });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

const DOMAIN = 'northwind.example';
const RECORD = `_portico-challenge.${DOMAIN}`;

test('a Super Admin proves a domain, and lets a colleague in who asks', async ({
  page,
  portal,
  names,
  enter,
  elsewhere,
}) => {
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
  await type(page, 'Domain', DOMAIN);
  await press(page, 'Add domain');
  await expect(page.getByText('Waiting for the record')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(RECORD);
  const value = await page.getByLabel('Value', { exact: true }).inputValue();

  names.text(RECORD, []);
  await press(page, 'Check now');
  await expect(page.getByText(`There is no TXT record at ${RECORD} yet.`)).toBeVisible();
  names.text(RECORD, ['v=spf1 -all']);
  await press(page, 'Check now');
  await expect(page.getByRole('alert').getByRole('listitem')).toHaveText('v=spf1 -all');
  await judge(page);
  names.text(RECORD, [value]);
  await press(page, 'Check now');
  await expect(page.getByText('Proven', { exact: true })).toBeVisible();
  await press(page, 'Change joining');
  await choose(page, 'They join', 'By a', 'By asking');
  await judge(page);
  await press(page, 'Save changes');
  await expect(page.getByText('People may ask to join.')).toBeVisible();

  const colleague = await elsewhere();
  const email = await confirmedAt(portal, colleague.request);
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
  await press(page, `Remove ${DOMAIN}`);
  await press(page, 'Remove domain');
  await expect(page.getByText('No domains yet')).toBeVisible();
});
