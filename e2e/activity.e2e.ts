import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { colleague, customRole, founder, PASSWORD } from '#server/testing/people.ts';
import { insertLogged } from '#server/testing/logged.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { expect, judge } from './fixtures.ts';
import { tabTo } from './keyboard.ts';
import { test, title } from './own-app.ts';

// Recent Activity: the rows, who sees them, filters and export.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const table = (page: Page) => page.getByRole('table', { name: 'Activity' });
const row = (page: Page, words: string | RegExp) => table(page).getByRole('row').filter({ hasText: words });
const days = (page: Page) => table(page).getByRole('rowheader').allInnerTexts();
const sentences = (page: Page) => table(page).locator('tbody td p').allInnerTexts();

async function enter(page: Page, app: TestApp, { visitor }: { visitor: { session: string | undefined } }) {
  await page.context().clearCookies();
  await page.context().addCookies([{ name: 'portico', value: visitor.session ?? '', url: app.url }]);
}
async function open(page: Page, urlName: string, query = '') {
  await page.goto(`/${urlName}/recentactivity${query}`);
  await expect(title(page, 'Recent Activity')).toBeVisible();
  await expect(table(page)).toHaveAttribute('aria-busy', 'false');
}
/** Maya's organization, in which Tom is an admin. Maya has the page open. */
async function company(page: Page, app: TestApp) {
  const maya = await founder(app);
  const tom = await colleague(app, maya);
  await enter(page, app, maya);
  return { maya, tom, ...maya };
}
const promote = (app: TestApp, { maya, tom, orgId }: Awaited<ReturnType<typeof company>>) =>
  insertLogged(app, {
    orgId,
    by: maya,
    module: 1,
    type: 8,
    recordId: tom.id,
    information: { role: ['Editor', 'Admin'], designation: ['', 'Clerk'] },
  });

test('an admin sees who did what to whom, and what changed on demand', async ({ page, app }) => {
  const there = await company(page, app);
  await promote(app, there);
  const gate = Promise.withResolvers<void>();
  await page.route('**/api/auditlogs?*', (route) => gate.promise.then(() => route.continue()));
  await page.goto(`/${there.urlName}/recentactivity`);
  await expect(table(page)).toHaveAttribute('aria-busy', 'true');
  const topOfSecond = async () =>
    Math.round((await table(page).locator('tbody tr').nth(1).boundingBox())?.y ?? 0);
  const waiting = await topOfSecond();
  gate.resolve();
  await expect(table(page)).toHaveAttribute('aria-busy', 'false');
  expect(Math.abs((await topOfSecond()) - waiting)).toBeLessThanOrEqual(2);
  expect(await days(page)).toEqual(['Today']);
  expect(await sentences(page)).toEqual([
    'You changed the details of Tom Berg',
    'Tom Berg joined the organization as Admin',
    'You invited Tom Berg as Admin',
    'You created the organization Northwind Traders',
  ]);
  await expect(page.getByRole('link', { name: 'Recent Activity' })).toHaveAttribute('aria-current', 'page');
  await judge(page);

  const changed = row(page, 'You changed the details of Tom Berg');
  await expect(changed.getByRole('term')).toHaveCount(0);
  await expect(
    page.getByRole('button', { name: /^Show details: You changed the details of Tom Berg, / }),
  ).toHaveCount(1);
  await tabTo(page, 'Show details');
  await page.keyboard.press('Enter');
  await expect(changed.getByRole('term')).toHaveText(['Designation', 'Role']);
  await expect(changed.getByRole('definition')).toHaveText([
    'nothing changed to Clerk',
    'Editor changed to Admin',
  ]);
  await judge(page);
  await page.keyboard.press('Enter');
  await expect(changed.getByRole('term')).toHaveCount(0);
});

test('a role is a link as long as it exists', async ({ page, app }) => {
  const { urlName, orgId, maya } = await company(page, app);
  const [sales, deleted] = [await customRole(app, orgId, 'Sales'), await customRole(app, orgId, 'Interns')];
  const made = { orgId, by: maya, module: 1, type: 7, action: 1 };
  await insertLogged(app, { ...made, recordId: deleted, information: { role: 'Interns' } });
  await insertLogged(app, { ...made, recordId: sales, information: { role: 'Sales' } });
  await app.deps.sql
    .deleteFrom('roles')
    .where('id', '=', deleted as never)
    .execute();
  await open(page, urlName);
  await expect(row(page, 'created the role Interns').getByRole('link')).toHaveCount(0);
  await row(page, 'created the role Sales').getByRole('link', { name: 'Sales' }).click();
  await expect(page).toHaveURL(`/${urlName}/organization/role/${sales}`);
});

test('a filter shows one’s own rows, and a member sees no others', async ({ page, app }) => {
  const { urlName, orgId, maya } = await company(page, app);
  await customRole(app, orgId, 'Sales');
  const member = await colleague(app, maya, 'Sales');
  await open(page, urlName);
  await page.getByRole('radio', { name: 'Mine' }).check();
  await expect(page).toHaveURL(/\?scope=mine$/);
  await expect(row(page, 'You confirmed your email address')).toBeVisible();
  await expect(row(page, 'Tom Berg joined')).toHaveCount(0);

  await enter(page, app, member);
  await open(page, urlName);
  await expect(page.getByRole('radio')).toHaveCount(0);
  await expect(row(page, 'You joined the organization as Sales')).toBeVisible();
  await expect(row(page, 'created the organization')).toHaveCount(0);
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page.getByLabel('Person')).toHaveCount(0);
});

test('filters narrow on the server and stay in the address', async ({ page, app }) => {
  const there = await company(page, app);
  await promote(app, there);
  await open(page, there.urlName);
  const steps = await page.evaluate(() => history.length);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('About').selectOption('Members and invitations');
  await expect.poll(() => sentences(page)).toHaveLength(2);
  await page.getByLabel('Action').selectOption('Updated');
  await expect.poll(() => sentences(page)).toEqual(['You changed the details of Tom Berg']);
  await expect(page).toHaveURL(/\?type=8&action=3$/);
  expect(await page.evaluate(() => history.length)).toBe(steps);

  await page.reload();
  await expect.poll(() => sentences(page)).toEqual(['You changed the details of Tom Berg']);
  await expect(page.getByLabel('Action')).toHaveValue('3');
  await judge(page);

  await page.getByLabel('Action').selectOption('Uploaded');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('cell').getByRole('button', { name: 'Clear filters' }).click();
  await expect(row(page, 'created the organization')).toBeVisible();
  await expect(page).toHaveURL(/recentactivity$/);

  await page.getByLabel('Person').click();
  await page.keyboard.type('berg');
  await page.getByRole('option', { name: 'Tom Berg' }).click();
  await expect.poll(() => sentences(page)).toEqual(['Tom Berg joined the organization as Admin']);
  await expect(page).toHaveURL(new RegExp(`person=${there.tom.id}$`));
  await page.reload();
  await expect(page.getByLabel('Person')).toHaveValue('Tom Berg');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByLabel('Person')).toHaveValue('');
});

test('Back leads to the page before, and Forward to the log with its filters', async ({ page, app }) => {
  const { urlName } = await company(page, app);
  await page.goto(`/${urlName}/signindevices`);
  await page.getByRole('link', { name: 'Recent Activity' }).click();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('About').selectOption('Organization information');
  await page.getByLabel('Action').selectOption('Created');
  await expect(page).toHaveURL(/\?type=6&action=1$/);
  await page.goBack();
  await expect(page).toHaveURL(/signindevices$/);
  await page.goForward();
  await expect.poll(() => sentences(page)).toEqual(['You created the organization Northwind Traders']);
  await expect(page.getByLabel('Action')).toHaveValue('1');
});

test('filters offer only possible values, and wrong days show a message', async ({ page, app }) => {
  const { urlName } = await company(page, app);
  await open(page, urlName);
  await expect(page.getByText('Your sign-ins and settings are under Mine.')).toBeVisible();
  await page.getByRole('button', { name: 'Filter' }).click();
  const area = page.getByLabel('Area');
  const ofOrganization = ['Any area', 'Organization', 'My Profile', 'Recent Activity', 'Delete Account'];
  await expect(area.getByRole('option')).toHaveText(ofOrganization);
  await expect(page.getByLabel('About')).toContainText('Account deletion');
  await page.getByRole('radio', { name: 'Mine' }).check();
  await expect(area.getByRole('option', { name: 'Signin Devices' })).toBeAttached();
  await area.selectOption('Signin Devices');
  await expect(page).toHaveURL(/scope=mine&module=4$/);
  await page.getByRole('radio', { name: 'Organization' }).check();
  await expect(page).toHaveURL(/recentactivity$/);
  await expect(area.getByRole('option')).toHaveText(ofOrganization);

  await page.getByLabel('Time', { exact: true }).selectOption('Choose days');
  await page.getByLabel('First day').fill('2999-10-01');
  await page.getByLabel('Last day').fill('2026-01-01');
  await expect(page.getByLabel('Last day')).toHaveAccessibleDescription(/^Before the first day/);
  await expect(row(page, 'created the organization')).toBeVisible();
});

test('a sign-in row names the browser, and on demand the place', async ({ page, app }) => {
  const { urlName, email } = await company(page, app);
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const body = { email_id: email, password: PASSWORD, timezone: '' };
  await app.visitor().send('POST', '/api/signin', { body, headers });
  await open(page, urlName, '?scope=mine');
  const line = row(page, 'You signed in with Firefox on Linux');
  await line.getByRole('button').click();
  await expect(line.getByRole('term')).toHaveText(['Browser', 'Operating system', 'IP address', 'Location']);
  await expect(line.getByRole('definition')).toHaveText(['Firefox', 'Linux', '127.0.0.1', 'Unknown']);
  await expect(page.getByRole('link', { name: /^IP Geolocation by DB-IP/ })).toBeVisible();
});

test('days are those of the person’s zone', async ({ page, app }) => {
  const { urlName, orgId, maya } = await company(page, app);
  await app.deps.sql
    .updateTable('users')
    .set({ time_zone: 'Pacific/Kiritimati' })
    .where('id', '=', maya.id as never)
    .execute();
  // The next 12:30 a.m. on Kiritimati.
  const half = (10 * HOUR_MS + 30 * MINUTE_MS - (app.clock.now().getTime() % DAY_MS) + DAY_MS) % DAY_MS;
  app.clock.forward(half + DAY_MS - HOUR_MS);
  await insertLogged(app, { orgId, by: maya, type: 3, action: 6 });
  app.clock.forward(HOUR_MS);
  await insertLogged(app, { orgId, by: maya, type: 14, action: 6 });
  await page.clock.install({ time: app.clock.now() });
  await open(page, urlName);
  await expect(row(page, 'You switched two-step sign-in off')).toContainText('00:30');
  await expect(row(page, 'You changed your password')).toContainText('23:30');
  expect((await days(page))[0]).toBe('Today');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Time', { exact: true }).selectOption('Today');
  await expect.poll(() => sentences(page)).toHaveLength(1);
});

test('an export that breaks off says so; one has exactly the shown rows, after a proof', async ({
  page,
  app,
}) => {
  const there = await company(page, app);
  await promote(app, there);
  app.clock.forward(11 * MINUTE_MS);
  await page.route('**/api/auditlogs/export?*', (route) => route.abort(), { times: 1 });
  await open(page, there.urlName, '?type=8');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'As data (JSON)' }).click();
  await expect(page.getByText('Oops! Something went wrong')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export' })).toBeEnabled();

  const taking = page.waitForEvent('download');
  await tabTo(page, 'Export');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'As a table (CSV)' }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Is it you?' })
    .getByLabel('Password', { exact: true })
    .fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm' }).click();
  const file = await taking;
  expect(file.suggestedFilename()).toMatch(/^activity-\d{4}-\d\d-\d\d\.csv$/);
  await expect(page.getByText(`${file.suggestedFilename()} is ready`)).toBeVisible();
  const text = await readFile(await file.path(), 'utf8');
  expect(
    text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split('","')[4]),
  ).toEqual(['Maya Lindqvist changed the details of Tom Berg', 'Maya Lindqvist invited Tom Berg as Admin']);
  await page.reload();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(row(page, 'You exported the activity log')).toBeVisible();
});
