import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import * as client from 'openid-client';
import { expect, test } from 'vitest';
import {
  authorize,
  CALLBACK,
  discover,
  enter,
  redeem,
  registerApplication,
  sendForm,
} from '#server/testing/applications.ts';
import { useApp } from '#server/testing/use-app.ts';
import {
  answerOf,
  askFor,
  errorOf,
  isAtCallback,
  openSetting,
  type Setting,
  VERIFIER,
} from '#server/testing/conformance.ts';

// The cases of the Basic and Config test plans about requests, after OpenID Connect Core 1.0.
const app = useApp();
const setting = (more?: Parameters<typeof openSetting>[1]) => openSetting(app, more);
const ask = (of: Setting, more?: Record<string, string>) => askFor(app, of, more);

test('registered redirect_uri: another one is refused on a page of ours', async () => {
  const at = await setting();
  for (const redirect of ['https://evil.example/', `${CALLBACK}/`, `${CALLBACK}?more=1`]) {
    const url = await ask(at, { redirect_uri: redirect });
    expect([url.origin, url.pathname, errorOf(url)]).toEqual([app.url, '/authorize', 'invalid_redirect_uri']);
  }
});

test("POST to the authorization endpoint: another site's form succeeds like a GET", async () => {
  const at = await setting();
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

test('POST to the authorization endpoint: a large or foreign body is refused', async () => {
  const post = async (type: string, raw: string) => {
    const headers = { 'content-type': type };
    return (await app.visitor().send('POST', '/oidc/auth', { headers, raw })).code;
  };
  const long = 'a'.repeat(17 * 1024);
  expect(await post('application/x-www-form-urlencoded', `state=${long}`)).toBe('payload_too_large');
  expect(await post('application/json', '{}')).toBe('unsupported_media_type');
});

test('POST to the authorization endpoint: it lasts a minute', async () => {
  const at = await setting();
  const posted = await sendForm(app, '/oidc/auth', at.request);
  app.clock.forward(61_000);
  const answer = await at.visitor.request('GET', posted.headers.get('location') ?? '');
  expect(errorOf(new URL(answer.headers.get('location') ?? ''))).toBe('invalid_request');
});

test('request object: refused as not supported', async () => {
  const at = await setting();
  const request = await new SignJWT(at.request).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32));
  const url = await ask(at, { request });
  expect(isAtCallback(url)).toBe(true);
  expect(answerOf(url)).toMatchObject({ error: 'request_not_supported', state: 'the state' });
});

test('request_uri: a foreign address is refused as not supported', async () => {
  const url = await ask(await setting(), { request_uri: 'https://sign.example/request' });
  expect(isAtCallback(url)).toBe(true);
  expect(errorOf(url)).toBe('request_uri_not_supported');
});

test('claims essential: a wanted name does not fail the request', async () => {
  const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
  expect((await ask(await setting(), { claims })).searchParams.get('code')).toBeTruthy();
});

test('refresh token: another application cannot use it', async () => {
  const { visitor, config } = await setting();
  const { refresh_token: token = '' } = await enter(visitor, config);
  const other = await discover(app, await registerApplication(app));
  await expect(client.refreshTokenGrant(other, token)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect((await client.refreshTokenGrant(config, token)).claims()?.sub).toBeTruthy();
});

test('valid PKCE: only the verifier of the request redeems its code', async () => {
  const { visitor, config, application } = await setting();
  const { location, verifier } = await authorize(visitor, config);
  const code = new URL(location).searchParams.get('code') ?? '';
  expect((await redeem(app, application, code, 'w'.repeat(43))).error).toBe('invalid_grant');
  expect((await redeem(app, application, code, verifier)).access_token).toBeTruthy();
});

test('alternate happy flow: a second application gets its own code and tokens', async () => {
  const { visitor, config } = await setting();
  const first = await enter(visitor, config);
  const second = await enter(visitor, await discover(app, await registerApplication(app)));
  expect(second.access_token).not.toBe(first.access_token);
  expect(second.claims()?.sub).toBe(first.claims()?.sub);
});

test('response mode form_post: its page may run its own script and nothing else', async () => {
  const at = await setting();
  const query = new URLSearchParams({ ...at.request, response_mode: 'form_post' }).toString();
  const page = await at.visitor.request('GET', `/oidc/auth?${query}`);
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(await page.text()) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(page.headers.get('content-security-policy')).toBe(
    `default-src 'none';script-src 'sha256-${hash}';base-uri 'none';frame-ancestors 'none'`,
  );
});

test('discovery document: endpoints, methods and algorithms are those that work', async () => {
  const document = await (await app.visitor().request('GET', '/.well-known/openid-configuration')).json();
  expect(document).toMatchObject({
    issuer: app.url,
    authorization_endpoint: `${app.url}/oidc/auth`,
    token_endpoint: `${app.url}/oidc/token`,
    userinfo_endpoint: `${app.url}/oidc/userinfo`,
    jwks_uri: `${app.url}/oidc/jwks`,
    end_session_endpoint: `${app.url}/oidc/logout`,
    response_types_supported: ['code'],
    response_modes_supported: ['form_post', 'fragment', 'query'],
    subject_types_supported: ['public', 'pairwise'],
    code_challenge_methods_supported: ['S256'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  });
});
