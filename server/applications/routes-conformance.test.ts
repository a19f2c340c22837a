import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { expect, test } from 'vitest';
import {
  ask,
  authorize,
  discover,
  enter,
  errorOf,
  redeem,
  registerApplication,
  setting,
} from '#server/testing/applications.ts';
import { raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';

// The cases of the Basic and Config plans of the OpenID conformance suite that read an answer (OpenID Connect Core 1.0).
const app = useApp();

test('server: a code is exchanged for an ID token and an access token', async () => {
  const { visitor, config, application } = await setting(app);
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

test('idtoken-signature: it verifies with a published key named in its header', async () => {
  const { visitor, config } = await setting(app);
  const { id_token: token = '' } = await enter(visitor, config);
  const keys = createRemoteJWKSet(new URL(`${app.url}/oidc/jwks`));
  const { protectedHeader } = await jwtVerify(token, keys);
  expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: expect.stringMatching(/./) });
});

test('idtoken-signature: an application may want RS256', async () => {
  const { visitor, application } = await setting(app, { signing_algorithm: 'RS256' });
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

test('refresh token: another application cannot use it', async () => {
  const { visitor, config } = await setting(app);
  const { refresh_token: token = '' } = await enter(visitor, config);
  const other = await discover(app, await registerApplication(app));
  await expect(client.refreshTokenGrant(other, token)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect((await client.refreshTokenGrant(config, token)).claims()?.sub).toBeTruthy();
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
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_modes_supported: ['form_post', 'fragment', 'query'],
    subject_types_supported: ['public', 'pairwise'],
    code_challenge_methods_supported: ['S256'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    prompt_values_supported: ['none', 'login', 'select_account', 'consent', 'create'],
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  });
  // Nobody registers an application by a call.
  expect(document).not.toHaveProperty('registration_endpoint');
});

test.for([
  'oauth-authorization-server',
  'openid-configuration/',
  '/openid-configuration',
  'change-password',
  '',
])('/.well-known/%s is the discovery document or is not there', async (name) => {
  const path = name.startsWith('/') ? `//.well-known${name}` : `/.well-known/${name}`;
  const answer = await raw(app.url, 'GET', path, { headers: { accept: 'text/html' } });
  const isThere = /oauth|openid/.test(name);
  expect(answer.status).toBe(isThere ? 200 : 404);
  expect(JSON.parse(answer.text)).toMatchObject(isThere ? { issuer: app.url } : { success: false });
});

test.for([
  ['native', null],
  ['web', 'invalid_redirect_uri'],
] as const)(
  'redirect_uri on another port of 127.0.0.1: the answer to a %s application is %s',
  async ([kind, code]) => {
    const at = await setting(app, { kind, redirect_urls: ['http://127.0.0.1/callback'] });
    expect(errorOf(await ask(at, { redirect_uri: 'http://127.0.0.1:51004/callback' }))).toBe(code);
  },
);
