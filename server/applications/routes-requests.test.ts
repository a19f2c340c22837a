import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import type { OrgId, UserId } from '#contract/wire.ts';
import {
  ask,
  enter,
  errorOf,
  isAtCallback,
  openRequest,
  redeem,
  sendForm,
  setting,
  VERIFIER,
} from '#server/testing/applications.ts';
import { addPasskey } from '#server/testing/authenticator.ts';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

// The cases of the Basic plan of the OpenID conformance suite that vary the request (OpenID Connect Core 1.0).
const app = useApp();

const provers: Record<string, (visitor: Visitor) => Promise<() => Promise<object>>> = {
  password: async () => async () => ({ password: PASSWORD }),
  passkey: async (visitor) => {
    const passkey = await addPasskey(visitor, app.url);
    const { id } = responseOf<{ id: UserId }>(await visitor.get('/api/ustat'));
    const { sql } = app.deps;
    await sql.deleteFrom('passwords').where('user_id', '=', id).execute();
    await sql.updateTable('users').set({ email: null, confirmed_at: null }).where('id', '=', id).execute();
    return async () => {
      const request = await visitor.post('/api/reauthenticate/passkey', {});
      return { passkey: passkey.get(responseOf<{ options: { challenge: string } }>(request).options) };
    };
  },
};
test.for([
  ['password', ['pwd']],
  ['passkey', ['pwd', 'swk', 'mfa']],
] as const)(
  'prompt login: a %s proves a signed-in person again, and the ID token tells when',
  async ([proof, amr]) => {
    const at = await setting(app);
    const prove = await provers[proof]?.(at.visitor);
    app.clock.forward(60_000);
    const first = await enter(at.visitor, at.config);
    const page = await ask(at, { prompt: 'login' });
    expect(page.pathname).toBe('/authorize');
    const id = page.searchParams.get('request') ?? '';
    const show = async () => responseOf<object>(await at.visitor.get(`/api/authorization?request=${id}`));
    expect(await show()).toMatchObject({ step: 'confirm', proof });
    responseOf(await at.visitor.post('/api/reauthenticate', { ...(await prove?.()) }));
    expect(await show()).toMatchObject({ step: 'go-on', proof: null });
    const { url } = responseOf<{ url: string }>(
      await at.visitor.post('/api/authorization', { request: id, accept: 1 }),
    );
    const back = new URL(
      (await at.visitor.request('GET', new URL(url).pathname)).headers.get('location') ?? '',
    );
    const tokens = await redeem(app, at.application, back.searchParams.get('code') ?? '', VERIFIER);
    const second = decodeJwt(tokens.id_token ?? '');
    expect(second['amr']).toEqual(amr);
    expect(second['auth_time']).toBeGreaterThan(Number(first.claims()?.auth_time) + 50);
  },
);

test('max-age 1: a proof for this request counts, however long the browser takes', async () => {
  const at = await setting(app);
  app.clock.forward(3000);
  const id = (await ask(at, { max_age: '1' })).searchParams.get('request') ?? '';
  const refused = await at.visitor.post('/api/authorization', { request: id, accept: 1 });
  expect(refused.code).toBe('reauthentication_required');
  responseOf(await at.visitor.post('/api/reauthenticate', { password: PASSWORD }));
  app.clock.forward(3000);
  const { url } = responseOf<{ url: string }>(
    await at.visitor.post('/api/authorization', { request: id, accept: 1 }),
  );
  const back = await at.visitor.request('GET', new URL(url).pathname);
  expect(isAtCallback(new URL(back.headers.get('location') ?? ''))).toBe(true);
});

test('a request that has ended leads to its page, which says so', async () => {
  const at = await setting(app);
  const answer = await at.visitor.request('GET', '/oidc/auth/ended');
  const url = new URL(answer.headers.get('location') ?? '');
  expect([url.pathname, errorOf(url)]).toEqual(['/authorize', null]);
  const id = url.searchParams.get('request');
  expect((await at.visitor.get(`/api/authorization?request=${id}`)).code).toBe('authorization_expired');
});

test('the page of a request names the application, its host, the person and their organization', async () => {
  const at = await setting(app);
  const hint = 'maya@northwind.example';
  const id = (await ask(at, { prompt: 'login', login_hint: hint })).searchParams.get('request');
  const { email } = responseOf<{ email: string }>(await at.visitor.get('/api/user'));
  expect(responseOf(await at.visitor.get(`/api/authorization?request=${id}`))).toMatchObject({
    application: { name: 'Sign', organization: null, is_first_party: 1, host: 'sign.example' },
    signed_in_as: email,
    login_hint: hint,
  });
  const foreign = await setting(app, { is_first_party: false });
  const asked = (await ask(foreign, { scope: 'openid organization' })).searchParams.get('request');
  expect(responseOf(await foreign.visitor.get(`/api/authorization?request=${asked}`))).toMatchObject({
    step: 'consent',
    organizations: [{ name: 'Setting' }],
  });
});

test.for<[string, string | null]>([
  ['Setting', 'Setting'],
  ['P\u043ertico', null],
])("an application of %s is its members' own: %s (P27)", async ([name, shown]) => {
  const { visitor, orgId } = await founder(app, name);
  const own = { org_id: orgId as OrgId, is_first_party: false };
  const id = await openRequest(app, own, { prompt: 'login' }, visitor);
  expect(responseOf(await visitor.get(`/api/authorization?request=${id}`))).toMatchObject({
    application: { organization: shown, is_first_party: 0 },
  });
});

test.for([
  ['registered redirect_uri: another one', 'invalid_redirect_uri', { redirect_uri: 'https://evil.example/' }],
  ['a client_id that nobody has', 'invalid_client', { client_id: 'nobody' }],
  ['a client_id with a byte that PostgreSQL refuses', 'invalid_client', { client_id: 'a\u0000' }],
  ['no client_id', 'missing_parameter', { client_id: '' }],
] as const)(
  '%s is refused on a page of ours, whose reference leads to the value',
  async ([, code, wrong]) => {
    const url = await ask(await setting(app), wrong);
    expect([url.origin, url.pathname, errorOf(url)]).toEqual([app.url, '/authorize', code]);
    const reference = url.searchParams.get('reference') ?? '';
    const line = app.logLines.find((text) => text.includes(reference));
    const [value = ''] = Object.values(wrong);
    expect(line).toContain(JSON.stringify(value).slice(1, -1));
  },
);

test.for([
  ['another secret', 'invalid secret provided', { secret: 'wrong' }],
  ['an unknown client ID', 'client not found', { clientId: 'nobody' }],
] as const)('%s: the log says why there are no tokens', async ([, detail, wrong]) => {
  const { application } = await setting(app);
  const sender = { ...application, ...wrong };
  expect((await redeem(app, sender, 'a code', VERIFIER)).error).toBe('invalid_client');
  expect(app.logLines.filter((text) => text.includes(`"detail":"${detail}"`))).toHaveLength(1);
});

test("POST to the authorization endpoint: another site's form succeeds like a GET", async () => {
  const at = await setting(app);
  const body = new URLSearchParams(at.request).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://sign.example',
    'sec-fetch-site': 'cross-site',
  };
  // A browser sends no SameSite=Lax cookie with it.
  const posted = await app.visitor().request('POST', '/oidc/auth', { headers, raw: body });
  expect(posted.status).toBe(303);
  const next = posted.headers.get('location') ?? '';
  expect(next).toMatch(/^\/oidc\/auth\?posted=[\w-]{43}$/);
  const answer = await at.visitor.request('GET', next);
  const url = new URL(answer.headers.get('location') ?? '', app.url);
  expect(url.searchParams.get('state')).toBe('the state');
  const tokens = await redeem(app, at.application, url.searchParams.get('code') ?? '', VERIFIER);
  expect(tokens.id_token).toBeTruthy();
});

test('POST to the authorization endpoint: a large form leads to the page of an error, another body is refused', async () => {
  const state = 'a'.repeat(17 * 1024);
  const { headers } = await sendForm(app, '/oidc/auth', { state });
  expect(errorOf(headers.get('location') ?? '')).toBe('invalid_request');
  const json = { headers: { 'content-type': 'application/json' }, raw: '{}' };
  expect((await app.visitor().send('POST', '/oidc/auth', json)).code).toBe('unsupported_media_type');
});

test('POST to the authorization endpoint: the posted request lasts a minute', async () => {
  const at = await setting(app);
  const posted = await sendForm(app, '/oidc/auth', at.request);
  app.clock.forward(61_000);
  const answer = await at.visitor.request('GET', posted.headers.get('location') ?? '');
  expect(errorOf(new URL(answer.headers.get('location') ?? ''))).toBe('missing_parameter');
});

test('response mode form_post: its page may run its own script and nothing else', async () => {
  const at = await setting(app);
  const query = new URLSearchParams({ ...at.request, response_mode: 'form_post' }).toString();
  const page = await at.visitor.request('GET', `/oidc/auth?${query}`);
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(await page.text()) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(page.headers.get('content-security-policy')).toBe(
    `default-src 'none';script-src 'sha256-${hash}';base-uri 'none';frame-ancestors 'none'`,
  );
});
