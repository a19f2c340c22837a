import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as client from 'openid-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { discover, enter, registerApplication } from '#server/testing/applications.ts';
import { Browser } from '#server/testing/browser.ts';
import { exampleRegistration, writeExample } from '#server/testing/documented.ts';
import { colleague, founder } from '#server/testing/people.ts';
import { freePort } from '#server/testing/ports.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

/** Lets a test move the clock of the program. */
const movedClock = `data:text/javascript,
  process.on('message', (ms) => { const { now } = Date; Date.now = () => now() + ms; process.send('moved'); })`;

/** Runs a documented example until the test ends. */
async function run(name: string, port: number, env: Record<string, string>) {
  const example = writeExample(name);
  const child = spawn(process.execPath, ['--import', movedClock, example.file], {
    env: { ISSUER: app.url, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(async () => {
    const exit = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await exit;
    example.remove();
  });
  const url = `http://localhost:${port}`;
  await expect.poll(() => fetch(url, { redirect: 'manual' }).catch(() => null)).not.toBeNull();
  return {
    url,
    forward: async (ms: number) => {
      child.send(ms);
      await once(child, 'message');
    },
  };
}

/** Starts the documented application for Node until the test ends. */
async function startNode() {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { clientId, secret } = await registerApplication(app, exampleRegistration('Node', url));
  return run('server.mjs', port, {
    BASE_URL: url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: secret,
    COOKIE_SECRET: 'a cookie secret of 32 characters',
  });
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

test('the Node example turns a removed member away', async () => {
  const boss = await founder(app, 'Westwind');
  const member = await colleague(app, boss);
  const node = await startNode();
  const leave = { org_id: boss.orgId, del_user_id: member.id };
  responseOf(await boss.visitor.delete('/api/orgusers', leave));
  const browser = new Browser(app.url, member.visitor);
  expect(await browser.agree(await browser.open(node.url))).toMatchObject({
    status: 403,
    text: 'You belong to no organization.',
  });
});

test('the example of an API reads people, servers and rights from their tokens', async () => {
  const { visitor, orgId } = await founder(app, 'Eastwind');
  const api = 'https://api.example.com/';
  const { url } = await run('api.mjs', await freePort(), { API: api });
  const call = async (token: string) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return [response.status, await response.text()];
  };
  const web = await discover(app, await registerApplication(app, { apis: [api] }));
  const refreshed = async (scope: string) => {
    const { refresh_token: token = '' } = await enter(visitor, web, { scope, resource: api });
    return (await client.refreshTokenGrant(web, token, { resource: api })).access_token;
  };
  expect(await call(await refreshed('openid organization'))).toEqual([
    200,
    `The documents of organization ${orgId}.`,
  ]);
  expect(await call(await refreshed('openid'))).toEqual([403, 'No right to read documents.']);
  expect(await call((await enter(visitor, web)).access_token)).toEqual([401, 'Not a valid token.']);
  const server = await registerApplication(app, { kind: 'server', redirect_urls: [], apis: [api] });
  const robot = await discover(app, server);
  const { access_token: own } = await client.clientCredentialsGrant(robot, { resource: api });
  expect(await call(own)).toEqual([200, 'A server, for itself.']);
});

test('the example of an introspection tells what a token grants, until the session ends', async () => {
  const { visitor } = await founder(app, 'Northeast');
  const application = await registerApplication(app);
  const tokens = await enter(visitor, await discover(app, application));
  vi.stubEnv('ISSUER', app.url);
  vi.stubEnv('CLIENT_ID', application.clientId);
  vi.stubEnv('CLIENT_SECRET', application.secret);
  const { file, remove } = writeExample('introspect.mjs');
  onTestFinished(() => (vi.unstubAllEnvs(), remove()));
  const { introspect } = (await import(file)) as { introspect: (token: string) => Promise<unknown> };
  const { sub } = tokens.claims() ?? {};
  expect(await introspect(tokens.access_token)).toMatchObject({ sub, client_id: application.clientId });
  responseOf(await visitor.delete('/api/logout'));
  expect(await introspect(tokens.access_token)).toBeUndefined();
});
