import { expect, test } from 'vitest';
import { ask, errorOf, setting } from '#server/testing/applications.ts';
import { raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

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
    ui_locales_supported: app.deps.config.languages,
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
