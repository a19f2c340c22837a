import type { KoaContextWithOIDC } from 'oidc-provider';
import * as client from 'openid-client';
import { expect, test, vi } from 'vitest';
import { signedInBy } from '#server/access/rules.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { leave } from './sign-outs.ts';
import { visiting } from './visit.ts';
import {
  ask,
  authorize,
  discover,
  enter,
  errorOf,
  registerApplication,
  setting,
} from '#server/testing/applications.ts';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const requestOf = (page: URL) => page.searchParams.get('request') ?? '';

test('a signed-in person enters an application in one hop', async () => {
  const { visitor, orgId } = await founder(app, 'Hop');
  const config = await discover(app, await registerApplication(app));
  const { location, verifier, state } = await authorize(visitor, config);
  expect(location).toMatch(/^https:\/\/sign\.example\/callback\?code=/);
  const tokens = await client.authorizationCodeGrant(config, new URL(location), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  const claims = tokens.claims();
  expect(claims?.sub).toMatch(/^[0-9a-f-]{36}$/);
  const info = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
  expect(info).toMatchObject({ name: 'Maya Lindqvist', org_id: orgId, role: 'Super Admin', org_admin: true });
  const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(again.access_token).toBeTruthy();
  expect(await client.tokenIntrospection(config, again.access_token)).toMatchObject({ active: true });
});

test('a signed-out person comes to the page of the request', async () => {
  const config = await discover(app, await registerApplication(app));
  const { location } = await authorize(app.visitor(), config);
  expect(location).toMatch(new RegExp(`^${app.url}/authorize\\?request=[\\w-]+$`));
});

test.for([{ prompt: 'login' }, { max_age: '1' }])(
  'an earlier session is no fresh sign-in for %j (P24)',
  async (more) => {
    const at = await setting(app);
    const earlier = at.visitor.cookies.get('portico') ?? '';
    const pathAfter = async (request: string) => {
      const { url } = responseOf<{ url: string }>(
        await at.visitor.post('/api/authorization', { request, accept: 1 }),
      );
      at.visitor.cookies.set('portico', earlier);
      const back = await at.visitor.request('GET', new URL(url).pathname);
      return new URL(back.headers.get('location') ?? '');
    };
    at.visitor.cookies.delete('portico');
    app.clock.forward(3000);
    const first = requestOf(await ask(at, more));
    at.visitor.cookies.set('portico', earlier);
    const page = await pathAfter(first);
    expect(page.pathname).toBe('/authorize');
    const request = requestOf(page);
    expect((await at.visitor.post('/api/authorization', { request, accept: 1 })).code).toBe(
      'reauthentication_required',
    );
    // Nor does a proof by another session of the same person count for this one.
    const { email } = responseOf<{ email: string }>(await at.visitor.get('/api/user'));
    const fresh = { email_id: email, password: PASSWORD, timezone: '' };
    at.visitor.cookies.delete('portico');
    responseOf(await at.visitor.post('/api/signin', fresh));
    expect((await pathAfter(request)).pathname).toBe('/authorize');
  },
);

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
  'passkey-endpoints',
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

const GOODBYE = 'https://sign.example/goodbye';
const connected = () => registerApplication(app, { signed_out_urls: [GOODBYE] });

test('a first-party application signs the person out without a page', async () => {
  const { visitor } = await founder(app);
  const config = await discover(app, await connected());
  const tokens = await enter(visitor, config);
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: GOODBYE,
    state: 'bye',
  });
  const response = await visitor.request('GET', url.pathname + url.search);
  expect(response.headers.get('location')).toBe(`${GOODBYE}?state=bye`);
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
  const again = await visitor.request('GET', url.pathname + url.search);
  expect(again.headers.get('location')).toBe(`${GOODBYE}?state=bye`);
});

test('an application that ends meanwhile shows nobody as signed out who is not', async () => {
  const { visitor, id } = await founder(app);
  const sessions = app.deps.sql
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id as UserId);
  const ask = async (sessionId: SessionId) => {
    const redirect = vi.fn<(url: string) => void>();
    const params = { post_logout_redirect_uri: GOODBYE };
    const oidc = { params, client: { clientId: 'removed' }, entities: {} };
    const person = { userId: id as UserId, sessionId, ...signedInBy(null, app.clock.now()) };
    await visiting({ findVisitor: async () => person }, () =>
      leave({ oidc, redirect } as unknown as KoaContextWithOIDC, app.deps),
    );
    return redirect.mock.lastCall?.[0];
  };
  const { id: sessionId } = await sessions.executeTakeFirstOrThrow();
  expect(await ask(sessionId)).toContain(`${app.url}/signout?request=`);
  responseOf(await visitor.delete('/api/logout'));
  expect(await ask(sessionId)).toBe(GOODBYE);
});
