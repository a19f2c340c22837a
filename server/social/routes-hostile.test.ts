import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '#server/clock.ts';
import { SOCIAL_CLIENT } from '#server/testing/providers.ts';
import {
  type Answer,
  type ScriptedProvider,
  type Stage,
  startScriptedProvider,
} from '#server/testing/scripted-provider.ts';
import { askFor, type Channel, comeBack, whoIs } from '#server/testing/social-app.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';

/** Longer than any answer takes that does arrive. */
const LONG_MS = 20_000;
const SHORT_MS = 400;
let app: TestApp;
let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
  app = await startApp({
    GOOGLE_LOGIN: '1',
    GOOGLE_CLIENT_ID: SOCIAL_CLIENT.id,
    GOOGLE_CLIENT_SECRET: SOCIAL_CLIENT.secret,
    GOOGLE_ISSUER: provider.url,
    FACEBOOK_CLIENT_ID: SOCIAL_CLIENT.id,
    FACEBOOK_CLIENT_SECRET: SOCIAL_CLIENT.secret,
    FACEBOOK_AUTHORIZE_URL: `${provider.url}/authorize`,
    FACEBOOK_TOKEN_URL: `${provider.url}/token`,
    FACEBOOK_USERINFO_URL: `${provider.url}/userinfo`,
  });
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
const waitFor = (providerPatienceMs: number) =>
  void Object.assign(app.deps, { config: { ...app.deps.config, providerPatienceMs } });
beforeEach(() => {
  waitFor(LONG_MS);
  Object.assign(provider, { misbehaves: {}, claims: {}, signedBy: 'own' });
  // Expire the cached metadata.
  app.clock.forward(HOUR_MS);
});

const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const CODE = 'a-code-nobody-may-log';

/** Visits the provider and returns with a code, as a browser does. */
async function leaveAndReturn(channel: Channel, meanwhile = () => {}) {
  const visitor = app.visitor();
  const url = await askFor(visitor, channel);
  provider.nonce = url.searchParams.get('nonce') ?? '';
  const path = `/api/auth/callback/${channel}`;
  const query = new URLSearchParams({ code: CODE, state: url.searchParams.get('state') ?? '' });
  meanwhile();
  const page = await comeBack(
    visitor,
    url.origin === app.url ? url.pathname + url.search : `${path}?${query.toString()}`,
  );
  return { visitor, page, url };
}

const noAnswer = (channel: Channel) =>
  `${channel === 'google' ? 'Google' : 'Facebook'} did not answer as it should. Please try again in a moment, or sign in another way.`;

test('both providers sign in when they behave, and metadata is cached for an hour', async () => {
  expect((await leaveAndReturn('google')).page.title).toBe('You are signed in');
  expect((await leaveAndReturn('facebook')).page.title).toBe('You are signed in');
  provider.asked.length = 0;
  await leaveAndReturn('google');
  expect(provider.asked).toEqual(['token']);
});

describe('a slow, broken or hostile provider leads to a page of the portal (L13)', () => {
  const chunk = 'x'.repeat(16_384);
  const misbehaviour: Record<string, Answer> = {
    'hangs up': (response) => response.destroy(),
    'never answers': () => undefined,
    'stops in the middle': (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"access_token": "'),
    redirects: (response) => response.writeHead(302, { location: `${provider.url}/elsewhere` }).end(),
    'redirects and keeps the method': (response) =>
      response.writeHead(307, { location: `${provider.url}/elsewhere` }).end(),
    'answers a megabyte': json({
      sub: 'x',
      id: 'x',
      access_token: 'x'.repeat(1_000_000),
      token_type: 'bearer',
    }),
    'never stops answering': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (response.write(chunk));
        response.once('drain', more);
      };
      more();
    },
    'answers garbage': (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":'),
    'answers a page': (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
    'answers nothing': (response) => response.writeHead(204).end(),
    'answers null': json(null),
    'answers an array': json([]),
    'refuses with a secret in its words': json({ error: SOCIAL_CLIENT.secret, error_description: CODE }, 400),
    'is out of order': (response) => response.writeHead(503).end(),
  };
  const withoutEnd = new Set(['never answers', 'stops in the middle']);
  const stages: [[Channel, Stage], ...[Channel, Stage][]] = [
    ['google', 'token'],
    ['google', 'discovery'],
    ['google', 'jwks'],
    ['facebook', 'token'],
    ['facebook', 'userinfo'],
  ];
  const [token, ...others] = stages;
  const cases = [
    ...Object.keys(misbehaviour).map((name) => [...token, name] as const),
    ...others.flatMap((stage) =>
      ['hangs up', 'redirects', 'answers null'].map((name) => [...stage, name] as const),
    ),
  ];
  test.each(cases)('%s, %s: it %s', async (channel, stage, name) => {
    const misbehave = () => {
      if (withoutEnd.has(name)) waitFor(SHORT_MS);
      provider.misbehaves = { [stage]: misbehaviour[name] };
    };
    // Discovery happens at the start of a visit, the other requests at the return.
    if (stage === 'discovery') misbehave();
    const startedAt = performance.now();
    const { visitor, page } = await leaveAndReturn(channel, misbehave);
    expect([page.status, page.lead, page.link]).toEqual([400, noAnswer(channel), '/login']);
    expect(performance.now() - startedAt).toBeLessThan(LONG_MS / 2);
    expect([visitor.session, await whoIs(visitor)]).toEqual([undefined, null]);
    expect(provider.asked).not.toContain('/elsewhere');
  });

  test('the whole conversation has one deadline for all its answers', async () => {
    const late =
      (body: object): Answer =>
      (...exchange) =>
        void setTimeout(() => json(body)(...exchange), SHORT_MS * 0.7);
    const { page } = await leaveAndReturn('facebook', () => {
      waitFor(SHORT_MS);
      const token = late({ access_token: 'a', token_type: 'bearer' });
      provider.misbehaves = { token, userinfo: late({ id: 'late' }) };
    });
    expect([page.status, page.lead]).toEqual([400, noAnswer('facebook')]);
  });

  test('a provider that does not listen leads to the same page', async () => {
    const { config } = app.deps;
    const nowhere = { ...provider, at: { issuer: new URL('http://127.0.0.1:9') } };
    const google = { ...nowhere, clientId: 'id', clientSecret: 'secret' };
    Object.assign(app.deps, { config: { ...config, google } });
    const { page, url } = await leaveAndReturn('google');
    Object.assign(app.deps, { config });
    expect(url.origin).toBe(app.url);
    expect([page.status, page.lead, page.link]).toEqual([400, noAnswer('google'), '/login']);
  });

  test.each(['javascript:alert(1)', 7])('a visit is never sent to %o', async (authorization_endpoint) => {
    provider.misbehaves.discovery = json({ issuer: provider.url, authorization_endpoint });
    const url = await askFor(app.visitor(), 'google');
    expect(url.href).toMatch(`${app.url}/api/auth/callback/google?error=temporarily_unavailable`);
  });
});

describe('an ID token is refused for', () => {
  const now = Math.floor(Date.now() / 1000);
  const wrong: [what: string, claims: Record<string, unknown>, signedBy?: ScriptedProvider['signedBy']][] = [
    ['another issuer', { iss: 'https://accounts.google.com' }],
    ['another audience', { aud: 'somebody-else' }],
    ['a past expiry', { iat: now - 7200, exp: now - 3600 }],
    ['another nonce', { nonce: 'x'.repeat(43) }],
    ['no subject', { sub: undefined }],
    ['the signature of another key', {}, 'another'],
    ['no signature', {}, 'nobody'],
    ['a signature with the client secret', {}, 'client secret'],
  ];
  test.each(wrong)('%s', async (_what, claims, signedBy = 'own') => {
    const { visitor, page } = await leaveAndReturn(
      'google',
      () => void Object.assign(provider, { claims, signedBy }),
    );
    expect([page.status, page.lead]).toEqual([400, noAnswer('google')]);
    expect([visitor.session, await whoIs(visitor)]).toEqual([undefined, null]);
  });

  test('an address from userinfo alone is used, if userinfo names the same person', async () => {
    const userinfo = (sub: string) => json({ sub, email: 'told@northwind.example', email_verified: true });
    const claims = { sub: 'told', email: undefined };
    const other = await leaveAndReturn(
      'google',
      () => void Object.assign(provider, { claims, misbehaves: { userinfo: userinfo('other') } }),
    );
    expect(other.page.lead).toBe(noAnswer('google'));
    const { visitor } = await leaveAndReturn(
      'google',
      () => void Object.assign(provider, { claims, misbehaves: { userinfo: userinfo('told') } }),
    );
    expect(await whoIs(visitor)).toMatchObject({ email: 'told@northwind.example', confirmed: 1 });
  });
});

test.each(['google', 'facebook'] as const)('%s: only a signed second step counts', async (channel) => {
  provider.misbehaves.userinfo = json({ sub: 'unsigned', id: 'unsigned', amr: ['mfa'], acr: 'phr' });
  provider.claims = { sub: 'unsigned', email: undefined };
  const { visitor } = await leaveAndReturn(channel);
  const session = await app.deps.sql
    .selectFrom('sessions')
    .select(['methods', 'second_step'])
    .where('user_id', '=', (await whoIs(visitor))?.id as never)
    .executeTakeFirst();
  expect(session).toEqual({ methods: ['fed'], second_step: null });
});

test('these failures put no secret into the log', () => {
  const log = app.logLines.join('\n');
  expect(log).toMatch(/"event":"identity provider failed"/);
  expect(log).toMatch(/"event":"social sign-in refused","provider":"google","why":"noAnswer"/);
  expect(log).toContain('OAUTH_TIMEOUT');
  expect(log).toContain('ANSWER_TOO_LARGE');
  for (const secret of [
    SOCIAL_CLIENT.secret,
    CODE,
    'nobody-may-log',
    'eyJ',
    'portico-oauth',
    'state=',
    'code=',
  ])
    expect(log).not.toContain(secret);
  expect(log).not.toContain('"level":50');
});
