import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { freePort } from '#server/testing/ports.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { expect, expectAccessible, signIn } from './fixtures.ts';
import { test } from './own-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-demo-app-'));
let child: ChildProcess | undefined;
test.afterEach(() => void child?.kill());
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Registers the demonstration application as the seed does, and starts it; returns its address. */
async function startDemoApp(app: TestApp): Promise<string> {
  const url = `http://localhost:${await freePort()}`;
  const { clientId, secret } = await registerApplication(app, {
    name: 'Demonstration',
    redirect_urls: [`${url}/callback`],
    signed_out_urls: [url],
    sign_out_url: `${url}/backchannel-logout`,
  });
  const settings = { url, client_id: clientId, client_secret: secret };
  writeFileSync(path.join(folder, 'demo-app.json'), JSON.stringify(settings));
  child = spawn(process.execPath, ['tools/demo-app.ts'], {
    cwd: path.join(import.meta.dirname, '..'),
    env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: new URL(app.url).port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(child.stdout, 'data');
  return url;
}

test('the demonstration shows the person, and notices a sign-out at once', async ({ page, app }) => {
  const { email } = await founder(app, 'Demo Traders');
  const url = await startDemoApp(app);
  await signIn(page, email);
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible();

  await page.goto(url);
  await expect(page.getByText('You are not signed in here.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Maya Lindqvist' })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByText('Demo Traders')).toBeVisible();
  await expect(page.getByText('Super Admin')).toBeVisible();
  await expect(page.getByRole('row', { name: 'Document' })).toContainText('create, read, update, delete');
  await expectAccessible(page);

  const events = page.waitForResponse(`${url}/events`);
  await page.reload();
  await events;
  expect((await page.request.delete(`${app.url}/api/logout`, { data: {} })).ok()).toBe(true);
  await app.mails();
  await expect(page.getByRole('heading', { name: 'You were signed out' })).toBeVisible();
  expect(await page.locator('main').textContent()).not.toContain('Maya');
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText('You are not signed in here.')).toBeVisible();
});

test('a sign-out in the demonstration application ends the session in the portal', async ({ page, app }) => {
  const { email } = await founder(app, 'Demo Leavers');
  const url = await startDemoApp(app);
  await signIn(page, email);
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${url}/`);
  await expect(page.getByText('You are not signed in here.')).toBeVisible();
  expect(await (await page.request.get(`${app.url}/api/ustat`)).json()).toMatchObject({ response: null });
});
