import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApache } from '#server/testing/apache.ts';
import { registerApplication } from '#server/testing/applications.ts';
import { Browser } from '#server/testing/browser.ts';
import { exampleRegistration } from '#server/testing/documented.ts';
import { founder } from '#server/testing/people.ts';
import { freePort } from '#server/testing/ports.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

let app: TestApp;
let apache: Awaited<ReturnType<typeof startApache>>;
beforeAll(async () => {
  app = await startApp();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const registration = await registerApplication(app, exampleRegistration('Apache', url));
  apache = await startApache(app.url, port, registration);
});
afterAll(async () => {
  await apache.stop();
  await app.close();
});

const accessTokens = async () => {
  const records = app.deps.sql.selectFrom('provider_records').where('kind', '=', 'AccessToken');
  return (await records.select('id_hash').execute()).length;
};

test('the Apache example signs in, shows claims, refreshes its token and signs out of the portal', async () => {
  const { visitor } = await founder(app, 'Northwind');
  const browser = new Browser(app.url, visitor);
  const page = await browser.agree(await browser.open(apache.url));
  // The formatter breaks the lines of the document's example.
  expect(page.text.replaceAll(/\s+/g, ' ')).toContain('Maya Lindqvist, Super Admin of Northwind');
  const before = await accessTokens();
  await browser.open(`${apache.url}/callback?info=json&access_token_refresh_interval=0`);
  expect(await accessTokens()).toBe(before + 1);
  const link = /href="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const goodbye = await browser.agree(await browser.open(apache.url + link));
  expect(goodbye).toMatchObject({ text: 'You are signed out.\n', type: 'text/html; charset=utf-8' });
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
});

test('a sign-out of the portal reaches Apache', async () => {
  const { visitor } = await founder(app, 'Southwind');
  const browser = new Browser(app.url, visitor);
  expect((await browser.agree(await browser.open(apache.url))).text).toContain('Southwind');
  responseOf(await visitor.delete('/api/logout'));
  await app.mails();
  expect((await browser.open(apache.url)).url).toContain(`${app.url}/authorize?request=`);
});
