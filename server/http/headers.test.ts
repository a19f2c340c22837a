import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { plantedDigest, plantedPerson } from '#server/testing/planted.ts';
import { raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';
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
const immutable = 'public, max-age=31536000, immutable';

const app = useApp({}, webApp);

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
    cache: immutable,
    type: 'application/javascript; charset=utf-8',
  },
  { path: '/assets/area-1a2b.css', policy: 'call', cache: immutable, type: 'text/css; charset=utf-8' },
  { path: '/icon-dark.svg', policy: 'call', cache: 'public, max-age=3600', type: 'image/svg+xml' },
  { path: '/assets/gone.js', policy: 'call', cache: 'no-store', type: 'application/json; charset=utf-8' },
] as const)('$path has the $policy headers (E7)', async ({ path, policy, cache, type }) => {
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
  '%s can see the windows it opens, and has the headers of a page otherwise',
  async (path) => {
    expect((await raw(app.url, 'GET', path)).headers).toMatchObject({
      ...everywhere,
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'content-security-policy': policies.page,
      'cache-control': 'no-store',
    });
  },
);

test('no answer about a person can be cached and shown to another person (D4)', async () => {
  const [one, two] = [await founder(app), await founder(app)];
  for (const path of ['/api/user', '/api/init', '/api/ustat', '/']) {
    const first = await one.visitor.request('GET', path);
    expect([path, first.headers.get('etag'), first.headers.get('last-modified')]).toEqual([path, null, null]);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const text = await first.text();
    const again = { 'if-none-match': '*', 'if-modified-since': new Date(2100, 0).toUTCString() };
    const second = await two.visitor.request('GET', path, { headers: again });
    expect([path, second.status]).toEqual([path, 200]);
    expect((await second.text()) === text).toBe(path === '/');
  }
});

test('no policy of a page with scripts allows unsafe sources (E5)', () => {
  for (const policy of Object.values(policies)) expect(policy).not.toMatch(/unsafe-|\*|https?:/);
});

test('over plain http the session cookie is named portico: HttpOnly, Lax and bound to the host (D2)', async () => {
  const { visitor } = await founder(app);
  const answer = await visitor.request('DELETE', '/api/logout', { body: {} });
  expect(answer.headers.getSetCookie()).toEqual([
    'portico=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
  ]);
  expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
});

describe('over https', () => {
  const urls = { PUBLIC_URL: 'https://accounts.example.com', SIGN_URL: 'https://sign.example.com/app' };
  const facebook = { FACEBOOK_CLIENT_ID: 'id', FACEBOOK_CLIENT_SECRET: 'secret' };
  const secure = useApp({ ...urls, ...facebook }, webApp);
  const local = () => `http://127.0.0.1:${secure.deps.config.port}`;
  const host = { host: 'accounts.example.com' };

  test('browsers are told to stay on https (E7)', async () => {
    for (const path of ['/', '/api/ustat', '/assets/area-1a2b.js']) {
      const { headers } = await raw(local(), 'GET', path, { headers: host });
      expect(headers).toMatchObject({ 'strict-transport-security': 'max-age=31536000; includeSubDomains' });
    }
  });

  test('pages may call the signature server and us, nobody else', async () => {
    const { headers } = await raw(local(), 'GET', '/login', { headers: host });
    expect(headers['content-security-policy']).toBe(
      policies.page.replace("connect-src 'self'", "connect-src 'self' https://sign.example.com"),
    );
  });

  const post = (path: string, body: object, cookie = '') =>
    raw(local(), 'POST', path, {
      headers: { ...host, 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });

  test('every cookie is bound to the host, hidden from scripts and small (D2)', async () => {
    const { email, id } = await plantedPerson(secure);
    const users = secure.deps.sql.updateTable('users').where('id', '=', id as UserId);
    const reset = { password: PASSWORD, timezone: '' };
    const digest = await plantedDigest(secure, { email, id, visitor: secure.visitor() }, 'reset-password');
    await raw(local(), 'PUT', '/api/resetpassword', {
      headers: { ...host, 'content-type': 'application/json' },
      body: JSON.stringify({ ...reset, digest }),
    });
    const signIn = () => post('/api/signin', { email_id: email, ...reset });
    const set = [...((await signIn()).headers['set-cookie'] ?? [])];
    await users.set({ mfa_enabled: true }).execute();
    set.push(...((await signIn()).headers['set-cookie'] ?? []));
    const auth = await raw(local(), 'GET', '/api/auth?state=2&channel_type=1', { headers: host });
    set.push(...(auth.headers['set-cookie'] ?? []));
    // The last sign-in method and the language are words, not secrets.
    const secrets = set.filter((line) => !/Max-Age=0|-(method|language)=/.test(line));
    expect(secrets.map((line) => line.split('=', 1)[0])).toEqual([
      '__Host-portico',
      '__Host-portico-device',
      '__Host-portico-challenge',
      '__Host-portico-oauth',
    ]);
    for (const line of secrets) {
      expect(line).toMatch(/^[\w-]+=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      expect(line.length).toBeLessThan(200);
    }
  });
});
