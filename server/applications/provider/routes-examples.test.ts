import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { registerApplication } from '#server/testing/applications.ts';
import { Browser } from '#server/testing/browser.ts';
import { exampleRegistration, writeExample } from '#server/testing/documented.ts';
import { founder } from '#server/testing/people.ts';
import { freePort } from '#server/testing/ports.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Lets a test move the clock of the program. */
const movedClock = `data:text/javascript,
  process.on('message', (ms) => { const { now } = Date; Date.now = () => now() + ms; process.send('moved'); })`;

/** Starts the documented application for Node until the test ends. */
async function startNode() {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { clientId, secret } = await registerApplication(app, exampleRegistration('Node', url));
  const example = writeExample('server.mjs');
  const child = spawn(process.execPath, ['--import', movedClock, example.file], {
    env: {
      ISSUER: app.url,
      BASE_URL: url,
      CLIENT_ID: clientId,
      CLIENT_SECRET: secret,
      COOKIE_SECRET: 'a cookie secret of 32 characters',
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(async () => {
    const exit = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await exit;
    example.remove();
  });
  await expect.poll(() => fetch(url, { redirect: 'manual' }).catch(() => null)).not.toBeNull();
  return {
    url,
    forward: async (ms: number) => {
      child.send(ms);
      await once(child, 'message');
    },
  };
}

const accessTokens = async () => {
  const records = app.deps.sql.selectFrom('provider_records').where('kind', '=', 'AccessToken');
  return (await records.select('id_hash').execute()).length;
};

test('the Node example signs in, refreshes its token, and signs out of the portal', async () => {
  const { visitor } = await founder(app, 'Northwind');
  const node = await startNode();
  const browser = new Browser(app.url, visitor);
  const signedIn = { url: `${node.url}/`, status: 200, text: 'Maya Lindqvist, Super Admin of Northwind' };
  expect(await browser.agree(await browser.open(node.url))).toMatchObject(signedIn);
  const before = await accessTokens();
  await node.forward(5 * MINUTE_MS + 1000);
  expect(await browser.open(node.url)).toMatchObject(signedIn);
  expect(await accessTokens()).toBe(before + 1);

  const page = await browser.agree(await browser.open(`${node.url}/logout`));
  expect(page.url).toContain(`${app.url}/authorize?request=`);
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
});

test('a sign-out of the portal reaches the Node example', async () => {
  const { visitor } = await founder(app, 'Southwind');
  const node = await startNode();
  const browser = new Browser(app.url, visitor);
  expect((await browser.agree(await browser.open(node.url))).text).toContain('Southwind');
  responseOf(await visitor.delete('/api/logout'));
  await app.mails();
  expect((await browser.open(node.url)).url).toContain(`${app.url}/authorize?request=`);
});
