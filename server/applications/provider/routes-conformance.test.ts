import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { expect, test } from 'vitest';
import { authorize, enter, redeem, sendForm } from '#server/testing/applications.ts';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import {
  answerOf,
  askFor,
  errorOf,
  isAtCallback,
  openSetting,
  type Setting,
  VERIFIER,
} from '#server/testing/conformance.ts';

// The cases of the Basic test plan of the OpenID conformance suite, after OpenID Connect Core 1.0.
const app = useApp();
const setting = (more?: Parameters<typeof openSetting>[1]) => openSetting(app, more);
const ask = (of: Setting, more?: Record<string, string>) => askFor(app, of, more);

test('server: a code is exchanged for an ID token and an access token', async () => {
  const { visitor, config, application } = await setting();
  const { location, verifier } = await authorize(visitor, config, { nonce: 'once' });
  const code = new URL(location).searchParams.get('code') ?? '';
  const tokens = await redeem(app, application, code, verifier);
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 300 });
  const now = Date.now() / 1000;
  expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({
    iss: app.url,
    aud: application.clientId,
    nonce: 'once',
    auth_time: expect.closeTo(now, -3),
    exp: expect.closeTo(now + 300, -1),
    iat: expect.closeTo(now, -1),
  });
});

test('server-client-secret-post: the secret may stand in the form', async () => {
  const { visitor, application } = await setting();
  const config = await client.discovery(
    new URL(app.url),
    application.clientId,
    undefined,
    client.ClientSecretPost(application.secret),
    { execute: [client.allowInsecureRequests] },
  );
  expect((await enter(visitor, config)).access_token).toBeTruthy();
});

test('server: the secret may stand in the header', async () => {
  const { visitor, application } = await setting();
  const config = await client.discovery(
    new URL(app.url),
    application.clientId,
    undefined,
    client.ClientSecretBasic(application.secret),
    { execute: [client.allowInsecureRequests] },
  );
  expect((await enter(visitor, config)).access_token).toBeTruthy();
});

test('response-type-missing: the application learns of the invalid request', async () => {
  const at = await setting();
  const url = await ask(at, { response_type: '' });
  expect(isAtCallback(url)).toBe(true);
  expect(answerOf(url)).toMatchObject({ error: 'invalid_request', state: 'the state', iss: app.url });
});

test('idtoken-signature: it verifies with a published key named in its header', async () => {
  const { visitor, config } = await setting();
  const { id_token: token = '' } = await enter(visitor, config);
  const keys = createRemoteJWKSet(new URL(`${app.url}/oidc/jwks`));
  const { protectedHeader } = await jwtVerify(token, keys);
  expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: expect.stringMatching(/./) });
});

test('idtoken-signature: an application may want RS256', async () => {
  const { visitor, application } = await setting({ signing_algorithm: 'RS256' });
  const config = await client.discovery(
    new URL(app.url),
    application.clientId,
    { client_secret: application.secret, id_token_signed_response_alg: 'RS256' },
    undefined,
    { execute: [client.allowInsecureRequests] },
  );
  const { id_token: token = '' } = await enter(visitor, config);
  expect(decodeProtectedHeader(token).alg).toBe('RS256');
});

test('idtoken-unsigned: no key set and no document offers "none"', async () => {
  const document = await (await app.visitor().request('GET', '/.well-known/openid-configuration')).json();
  const { id_token_signing_alg_values_supported: offered } = document as Record<string, string[]>;
  expect(offered?.toSorted()).toEqual(['ES256', 'RS256']);
});

test.for(['get', 'post header', 'post body'])('userinfo %s: the endpoint tells the person', async (way) => {
  const { visitor, config } = await setting();
  const tokens = await enter(visitor, config);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const response =
    way === 'post body'
      ? await sendForm(app, '/oidc/userinfo', { access_token: tokens.access_token })
      : await app.visitor().request(way === 'get' ? 'GET' : 'POST', '/oidc/userinfo', { headers });
  expect([response.status, await response.json()]).toMatchObject([200, { sub: tokens.claims()?.sub }]);
});

test('userinfo: a wrong token gets 401 with a challenge', async () => {
  const headers = { authorization: 'Bearer wrong' };
  const response = await app.visitor().request('GET', '/oidc/userinfo', { headers });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('error="invalid_token"'),
  ]);
});

test('request without nonce: the ID token has none', async () => {
  const { visitor, config } = await setting();
  expect((await enter(visitor, config)).claims()?.nonce).toBeUndefined();
});

test.for([
  ['profile', ['name', 'given_name', 'family_name']],
  ['email', ['email', 'email_verified']],
  ['organization', ['org_id', 'org_name', 'org_url_name', 'role', 'role_id', 'org_admin', 'permissions']],
  ['phone', []],
  ['address', []],
] as const)('scope %s: userinfo tells its claims and no others', async ([scope, names]) => {
  const { visitor, config } = await setting();
  const tokens = await enter(visitor, config, { scope: `openid ${scope}` });
  const info = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
  const optional = new Set(['zoneinfo', 'picture']);
  expect(
    Object.keys(info)
      .filter((name) => !optional.has(name))
      .toSorted(),
  ).toEqual(['sub', ...names].toSorted());
});

test('scope all: userinfo tells all claims at once', async () => {
  const { visitor, config } = await setting();
  const tokens = await enter(visitor, config, { scope: 'openid profile email phone organization address' });
  const info = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
  expect(info).toMatchObject({ email_verified: true, org_admin: true, name: 'Maya Lindqvist' });
});

test.for([
  ['display page', { display: 'page' }],
  ['display popup', { display: 'popup' }],
  ['unknown parameter', { extra: 'foobar' }],
  ['login-hint', { login_hint: 'somebody@northwind.example' }],
  ['ui-locales', { ui_locales: 'se' }],
  ['claims-locales', { claims_locales: 'se' }],
  ['acr-values', { acr_values: '1 2' }],
] as const)('%s: the request succeeds', async ([, more]) => {
  expect((await ask(await setting(), more)).searchParams.get('code')).toBeTruthy();
});

test('prompt login: a signed-in person proves themselves again, and the ID token tells when', async () => {
  const at = await setting();
  app.clock.forward(60_000);
  const first = await enter(at.visitor, at.config);
  const page = await ask(at, { prompt: 'login' });
  expect(page.pathname).toBe('/authorize');
  const id = page.searchParams.get('request') ?? '';
  const show = async () =>
    responseOf<{ step: string }>(await at.visitor.get(`/api/authorization?request=${id}`)).step;
  expect(await show()).toBe('confirm');
  responseOf(await at.visitor.post('/api/reauthenticate', { password: PASSWORD }));
  expect(await show()).toBe('go-on');
  const { url } = responseOf<{ url: string }>(
    await at.visitor.post('/api/authorization', { request: id, accept: 1 }),
  );
  const back = new URL(
    (await at.visitor.request('GET', new URL(url).pathname)).headers.get('location') ?? '',
  );
  const tokens = await redeem(app, at.application, back.searchParams.get('code') ?? '', VERIFIER);
  const second = decodeJwt(tokens.id_token ?? '');
  expect(second['auth_time']).toBeGreaterThan(Number(first.claims()?.auth_time) + 50);
});

test('prompt none, not logged in: the application learns it', async () => {
  const at = await setting();
  const url = await ask({ ...at, visitor: app.visitor() }, { prompt: 'none' });
  expect(isAtCallback(url)).toBe(true);
  expect(answerOf(url)).toMatchObject({ error: 'login_required', state: 'the state' });
});

test('prompt none, logged in: the code comes without a page', async () => {
  const at = await setting();
  expect((await ask(at, { prompt: 'none' })).searchParams.get('code')).toBeTruthy();
});

test('prompt none with another prompt is refused', async () => {
  expect(errorOf(await ask(await setting(), { prompt: 'none login' }))).toBe('invalid_request');
});

test('max-age 1: a proof that is older has to be repeated', async () => {
  const at = await setting();
  app.clock.forward(3000);
  expect((await ask(at, { max_age: '1' })).pathname).toBe('/authorize');
  expect(errorOf(await ask(at, { max_age: '1', prompt: 'none' }))).toBe('login_required');
});

test('max-age 10000: a fresh proof suffices, and the ID token tells its time', async () => {
  const { visitor, config } = await setting();
  const now = Date.now() / 1000;
  const { auth_time: time = 0 } = (await enter(visitor, config, { max_age: '10000' })).claims() ?? {};
  expect(time).toBeLessThanOrEqual(now);
  expect(time).toBeGreaterThan(now - 60);
});

test('id-token-hint: the person of the hint enters silently, another one does not', async () => {
  const at = await setting();
  const { id_token: hint = '' } = await enter(at.visitor, at.config);
  const more = { prompt: 'none', id_token_hint: hint };
  expect((await ask(at, more)).searchParams.get('code')).toBeTruthy();
  const { visitor } = await founder(app, 'Other');
  expect(errorOf(await ask({ ...at, visitor }, more))).toBe('login_required');
});

test('codereuse: a second use is refused and ends what the first one gave', async () => {
  const at = await setting();
  const code = (await ask(at)).searchParams.get('code') ?? '';
  const tokens = await redeem(app, at.application, code, VERIFIER);
  app.clock.forward(30_000);
  expect((await redeem(app, at.application, code, VERIFIER)).error).toBe('invalid_grant');
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  expect((await app.visitor().request('GET', '/oidc/userinfo', { headers })).status).toBe(401);
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
  expect(await (await sendForm(app, '/oidc/token', refresh, at.application)).json()).toMatchObject({
    error: 'invalid_grant',
  });
});
