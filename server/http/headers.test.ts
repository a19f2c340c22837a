import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { raw } from '#server/testing/raw.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { fakeWebApp } from '#server/testing/web-app.ts';

const webApp = fakeWebApp();
afterAll(() => rmSync(webApp, { recursive: true }));

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};
const policies = {
  page:
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'; " +
    "require-trusted-types-for 'script'; report-uri /cspreport",
  call: "default-src 'none'; frame-ancestors 'none'; sandbox",
  plain:
    "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
};
const kept = 'public, max-age=31536000, immutable';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({}, webApp);
});
afterAll(() => app.close());

test.for([
  { path: '/', policy: 'page', cache: 'no-store', type: 'text/html; charset=utf-8' },
  { path: '/support', policy: 'page', cache: 'no-store', type: 'text/html; charset=utf-8' },
  { path: '/7/myprofile', policy: 'page', cache: 'no-store', type: 'text/html; charset=utf-8' },
  { path: '/api/ustat', policy: 'call', cache: 'no-store', type: 'application/json; charset=utf-8' },
  { path: '/api/nowhere', policy: 'call', cache: 'no-store', type: 'application/json; charset=utf-8' },
  { path: '/api/%zz', policy: 'call', cache: 'no-store', type: 'application/json; charset=utf-8' },
  { path: '/healthz', policy: 'call', cache: 'no-store', type: 'application/json; charset=utf-8' },
  { path: '/api/openapi.json', policy: 'call', cache: 'no-store', type: 'application/json; charset=utf-8' },
  { path: '/api/docs', policy: 'plain', cache: 'no-store', type: 'text/html; charset=utf-8' },
  { path: '/outbox', policy: 'plain', cache: 'no-store', type: 'text/html; charset=utf-8' },
  {
    path: '/assets/area-1a2b.js',
    policy: 'call',
    cache: kept,
    type: 'application/javascript; charset=utf-8',
  },
  { path: '/assets/area-1a2b.css', policy: 'call', cache: kept, type: 'text/css; charset=utf-8' },
  { path: '/icon-dark.svg', policy: 'call', cache: 'public, max-age=3600', type: 'image/svg+xml' },
  { path: '/assets/gone.js', policy: 'call', cache: 'no-store', type: 'application/json; charset=utf-8' },
] as const)('$path has the $policy headers', async ({ path, policy, cache, type }) => {
  const { headers } = await raw(app.url, 'GET', path);
  expect(headers).toMatchObject({
    ...everywhere,
    'content-security-policy': policies[policy],
    'cache-control': cache,
    'content-type': type,
  });
  expect(headers).not.toHaveProperty('strict-transport-security');
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('server');
});

test.for(['/login', '/signup', '/login?redirectpath=%2Fnorthwind'])(
  '%s sees the windows it opens, and is a page otherwise',
  async (path) => {
    expect((await raw(app.url, 'GET', path)).headers).toMatchObject({
      ...everywhere,
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'content-security-policy': policies.page,
      'cache-control': 'no-store',
    });
  },
);

test('no policy of a page with scripts allows anything unsafe', () => {
  for (const policy of Object.values(policies)) expect(policy).not.toMatch(/unsafe-|\*|https?:/);
});

test('the session cookie of plain http on loopback is portico: HttpOnly, Lax, for the whole host alone', async () => {
  const { visitor } = await founder(app);
  const answer = await visitor.request('DELETE', '/api/logout', { body: {} });
  expect(answer.headers.getSetCookie()).toEqual([
    'portico=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
  ]);
  expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
});

describe('over https', () => {
  let secure: TestApp;
  beforeAll(async () => {
    const urls = { PUBLIC_URL: 'https://accounts.example.com', SIGN_URL: 'https://sign.example.com/app' };
    secure = await startApp(urls, webApp);
  });
  afterAll(() => secure.close());
  const local = () => `http://127.0.0.1:${secure.deps.config.port}`;
  const host = { host: 'accounts.example.com' };

  test('browsers are told to stay with https', async () => {
    for (const path of ['/', '/api/ustat', '/assets/area-1a2b.js']) {
      const { headers } = await raw(local(), 'GET', path, { headers: host });
      expect(headers).toMatchObject({ 'strict-transport-security': 'max-age=31536000; includeSubDomains' });
    }
  });

  test('pages may call the signature server, and nobody else but us', async () => {
    const { headers } = await raw(local(), 'GET', '/login', { headers: host });
    expect(headers['content-security-policy']).toBe(
      policies.page.replace("connect-src 'self'", "connect-src 'self' https://sign.example.com"),
    );
  });

  test('loopback names are no host of it', async () => {
    expect((await raw(local(), 'GET', '/api/ustat')).status).toBe(421);
  });

  test('the session cookie is bound to the host and small', async () => {
    const signUp = await raw(local(), 'POST', '/api/signup', {
      headers: { ...host, 'content-type': 'application/json' },
      body: JSON.stringify({ emailId: 'maya@northwind.example', password: PASSWORD, timezone: 'UTC' }),
    });
    const [cookie = ''] = signUp.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^__Host-portico=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const named = (name: string) => `${name}=${/=([\w-]+)/.exec(cookie)?.[1]}`;
    const whoIs = async (sent: string) =>
      (await raw(local(), 'GET', '/api/ustat', { headers: { ...host, cookie: sent } })).text;
    expect(await whoIs(named('__Host-portico'))).toContain('maya@northwind.example');
    expect(await whoIs(named('portico'))).toContain('null');
  });
});
