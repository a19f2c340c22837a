import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { addPasskey, setUpApp, withAuthenticator } from './authenticators.ts';
import { confirmedAt, expect, expectAccessible, foundAt, judge, newEmail, test as base } from './fixtures.ts';
import { Portal } from './portal.ts';

const test = base.extend<object, { portal: Portal }>({
  portal: [
    async ({ playwright: _ }, use) => {
      const portal = await Portal.start({ RATE_LIMIT_FACTOR: '1000', DESK_NETWORKS: '127.0.0.0/8, ::1' });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

/** Runs a command beside the running portal. */
const runAtMachine = ({ dataDir }: Portal, ...args: string[]) =>
  execFileSync(process.execPath, ['tools/operator.ts', ...args], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    encoding: 'utf8',
  });
async function atDesk(page: Page, portal: Portal, level: string) {
  const email = await confirmedAt(portal, page.request);
  await foundAt(page.request, 'Northwind Traders');
  await withAuthenticator(page);
  await page.goto('/account/myprofile');
  await addPasskey(page);
  runAtMachine(portal, 'operators', 'add', email, level);
  await page.goto('/desk');
  await expect(page.getByRole('heading', { level: 1, name: 'Prove that it is you' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a passkey' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  return email;
}
type Act = {
  name: string;
  reason: string;
  told: string | RegExp;
  title?: string;
  fill?: (form: Locator) => Promise<void>;
};
const WAITS = 'Waits for a second operator';
/** Presses a button, gives a reason, and reads the answer. */
async function act(page: Page, { name, reason, told, title = 'Done', fill }: Act) {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name });
  await fill?.(form);
  await form.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await page.keyboard.press('Enter');
  const done = page.getByRole('dialog', { name: title });
  await expect(done.getByText(told)).toBeVisible();
  await done.getByRole('button', { name: 'Close' }).last().click();
}
const part = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Parts of the desk' }).getByRole('link', { name }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
};
async function findPerson(page: Page, words: string) {
  await part(page, 'People');
  await page.getByRole('searchbox').fill(words);
  await page.keyboard.press('Enter');
}

test('a full operator finds somebody, signs them out with a reason, and reads the log', async ({
  page,
  portal,
  elsewhere,
}) => {
  await atDesk(page, portal, 'full');
  await judge(page);
  const other = await elsewhere();
  const email = await confirmedAt(portal, other.request);
  await findPerson(page, email);
  const open = page.getByRole('list', { name: 'People' }).getByRole('link');
  await expect(open).toHaveCount(1);
  await open.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Activity' })).toBeVisible();
  const steps = page.getByText('What the next sign-in does').locator('..').getByRole('listitem');
  await expect(steps).toHaveText(['password', 'the page for a first organization']);
  await judge(page);

  await act(page, {
    name: 'End sessions',
    reason: 'She lost her phone',
    told: '1 session ended.',
    fill: async (form) => {
      await expect(form.getByText(email)).toBeVisible();
      await expectAccessible(page);
    },
  });
  expect((await other.request.get('/api/user')).status()).toBe(401);
  const restriction = page.getByText(/^Restricted until .* UTC, by an operator\.$/);
  await act(page, { name: 'Restrict', reason: 'Taken over', told: /^Restricted until/ });
  await expect(restriction).toBeVisible();
  await judge(page);
  await act(page, { name: 'Lift', reason: 'Hers again', told: /^Open again/ });
  await expect(restriction).toBeHidden();
  await page.getByRole('button', { name: 'Show activity' }).click();
  const acts = page.getByRole('list', { name: 'What was done' });
  await expect(acts.getByText(/confirmed their email address$/)).toBeVisible();
  await judge(page);

  await part(page, 'Webhooks');
  await page.getByRole('button', { name: 'Add a webhook' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Add a webhook' });
  await form.getByRole('textbox', { name: 'Address' }).fill('https://hooks.example/in');
  await form.getByRole('textbox', { name: 'Reason' }).fill('x');
  await page.keyboard.press('Enter');
  await expect(form.getByText('takes at least three characters.')).toBeVisible();
  await form.getByRole('textbox', { name: 'Reason' }).fill('A new server');
  await page.keyboard.press('Enter');
  const waits = page.getByRole('dialog', { name: WAITS });
  await expect(waits.getByText(/once a second operator agrees/)).toBeVisible();
  await expectAccessible(page);
  await waits.getByRole('button', { name: 'Close' }).last().click();

  runAtMachine(portal, 'webhooks', 'add', 'https://hooks.example/in');
  await part(page, 'Today');
  await part(page, 'Webhooks');

  await expect(page.getByRole('button', { name: 'Resume' })).toBeHidden();
  await act(page, { name: 'Pause', reason: 'It moves', told: 'Paused: its events wait.' });
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();

  const check = { check: 'webhooks', isBad: true, since: null, says: 'it is off' };
  const data = [{ ...check, act: 'webhooks resume https://hooks.example/in' }];
  await page.route('**/api/operator/status', (route) =>
    route.fulfill({ json: { success: true, response: { lines: [], data } } }),
  );
  await part(page, 'Today');
  await act(page, { name: 'Resume', reason: 'It has moved', told: 'Its events are delivered again.' });
  await part(page, 'Webhooks');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();

  await part(page, 'Log');
  await page.getByRole('combobox', { name: 'Act' }).selectOption('end-sessions');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByText(/^reason: /)).toHaveText(['reason: She lost her phone']);
  await expectAccessible(page);
  for (let looks = 0; looks < 51; looks += 1)
    expect((await page.request.get('/api/operator/status')).ok()).toBe(true);
  const rows = page.getByRole('main').getByText(/^\d{4}-.* UTC · /);
  await page.getByRole('combobox', { name: 'Act' }).selectOption('status');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(rows).toHaveCount(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(rows.nth(50)).toBeVisible();

  const sign = { name: 'Sign', redirect: ['https://sign.example/callback'], reason: 'A new one' };
  expect((await page.request.post('/api/operator/applications-add', { data: sign })).ok()).toBe(true);
  await part(page, 'Applications');
  await page.getByRole('link', { name: 'Open Sign' }).click();
  await expect(page.getByText('https://sign.example/callback')).toBeVisible();
  await judge(page);
  await act(page, {
    name: 'Edit',
    reason: 'For the audit',
    told: 'Changed: requires par.',
    fill: async (form) => {
      await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Sign');
      await expect(form.getByRole('combobox', { name: 'PKCE' })).toHaveText(/^Unchanged \(yes\)/);
      await form.getByRole('combobox', { name: 'Pushed requests (PAR)' }).selectOption('Yes');
      await expectAccessible(page);
    },
  });
  for (const name of ['Requests', 'Applications', 'Webhooks', 'Keys', 'Jobs and mails', 'Operators']) {
    await part(page, name);
    await expect(page.getByRole('main').getByText('Loading…')).toBeHidden();
    await judge(page);
  }
  await page.getByRole('button', { name: 'Leave the desk' }).click();
  await page.waitForURL(/\/$/);
});

test('a support person sees their parts only, and nobody else sees a desk', async ({
  page,
  portal,
  elsewhere,
}) => {
  const email = await confirmedAt(portal, page.request);
  const code = await setUpApp(page.request);
  runAtMachine(portal, 'operators', 'add', email, 'support');
  await page.goto('/desk');
  await page.getByRole('textbox', { name: 'Code of your authenticator app' }).fill(code);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  const links = page.getByRole('navigation', { name: 'Parts of the desk' }).getByRole('link');
  await expect(links).toHaveText(['Today', 'People', /^Requests/]);
  await findPerson(page, 'no');
  await expect(page.getByText('Please type at least three letters.')).toBeVisible();
  await findPerson(page, newEmail());
  await expect(page.getByText(/^Nobody fits/)).toBeVisible();

  const other = await elsewhere();
  await confirmedAt(portal, other.request);
  await other.goto('/desk');
  await expect(other).not.toHaveURL(/\/desk$/);
});

test('a reset of second steps waits for a second operator', async ({ page, portal, elsewhere }) => {
  await atDesk(page, portal, 'support');
  const [other, person] = [await elsewhere(), await elsewhere()];
  await atDesk(other, portal, 'support');
  const email = await confirmedAt(portal, person.request);
  expect((await person.request.put('/api/mfa', { data: { mfa_enabled: 1 } })).ok()).toBe(true);
  await findPerson(page, email);
  await page.getByRole('list', { name: 'People' }).getByRole('link').click();
  await act(page, {
    name: 'Reset second steps',
    reason: 'She lost her mailbox',
    told: /once a second operator agrees/,
    title: WAITS,
  });
  await expect(page.getByText(WAITS)).toBeVisible();

  await part(other, 'Requests');
  await judge(other);
  const agree = other.getByRole('button', { name: 'Agree' });
  const others = (await agree.count()) - 1;
  await agree.last().click();
  await expect(other.getByText(/0 passkeys removed/)).toBeVisible();
  await expect(agree).toHaveCount(others);
});

test('the desk has its own small files, and no other page has anything of it', () => {
  const dist = path.join(import.meta.dirname, '../web/dist');
  const sizes = (ending: string) =>
    globSync(`${dist}/assets/desk/*${ending}.br`).map((file) => statSync(file).size / 1000);
  expect(sizes('.js')).toEqual([expect.any(Number)]);
  expect(sizes('.js')[0]).toBeLessThanOrEqual(115);
  expect(sizes('.css')[0]).toBeLessThanOrEqual(6);
  const others = [...globSync(`${dist}/assets/*.js`), ...globSync(`${dist}/assets/de/*.js`)];
  expect(others.length).toBeGreaterThan(100);
  expect(others.filter((file) => readFileSync(file, 'utf8').includes('/api/operator'))).toEqual([]);
});
