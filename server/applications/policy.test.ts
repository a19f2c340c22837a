import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { beforeAll, expect, test } from 'vitest';
import {
  ask as askAtOnce,
  authorize,
  CALLBACK,
  consent,
  discover,
  enter,
  errorOf,
  isAtCallback,
  registerApplication,
  sendForm,
  setting,
} from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { confirmed, founder, PASSWORD } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
const signIn = async (visitor: Visitor, email: string) =>
  responseOf(await visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' }));

/** Sends a person who signed in a while ago. */
const ask = (...asked: Parameters<typeof askAtOnce>) => {
  app.clock.forward(1000);
  return askAtOnce(...asked);
};

/** The step of a request's page. */
async function stepAt(visitor: Visitor, page: URL) {
  const request = page.searchParams.get('request');
  return responseOf<{ step: string }>(await visitor.get(`/api/authorization?request=${request}`)).step;
}
/** Answers a request's page; returns where the browser goes on. */
async function answer(visitor: Visitor, page: URL, accept: 0 | 1 = 1) {
  app.clock.forward(1000);
  const request = page.searchParams.get('request');
  const { url } = responseOf<{ url: string }>(await visitor.post('/api/authorization', { request, accept }));
  const response = await visitor.request('GET', new URL(url).pathname);
  return new URL(response.headers.get('location') ?? '', app.url);
}

test.for([
  ['everybody', [true, true, true]],
  ['members', [false, true, true]],
  ['members of one', [false, true, false]],
] as const)(
  'an application for %s admits nobody’s, its, and another’s member: %j (P22)',
  async ([who, admitted]) => {
    const one = await founder(app, 'One');
    const people = [await confirmed(app), one, await founder(app, 'Another')];
    const membersOf = { everybody: null, members: 0, 'members of one': one.orgId } as const;
    const config = await discover(
      app,
      await registerApplication(app, { members_of: membersOf[who] as never }),
    );
    const answers = [];
    for (const { visitor } of people) {
      const { location } = await authorize(visitor, config, { scope: 'openid', prompt: 'none' });
      answers.push(errorOf(location));
    }
    expect(answers).toEqual(admitted.map((isAdmitted) => (isAdmitted ? null : 'access_denied')));
  },
);

test('a removed member neither refreshes nor walks back in (P22)', async () => {
  const org = await company(app);
  const boss = await org.join('superAdmin');
  const member = await org.join('sales');
  const config = await discover(app, await registerApplication(app, { members_of: 0 }));
  app.clock.forward(1000);
  const { refresh_token: token = '' } = await enter(member.visitor, config, {
    scope: 'openid offline_access',
  });
  await client.refreshTokenGrant(config, token);
  responseOf(await boss.visitor.delete('/api/orgusers', { org_id: org.orgId, del_user_id: member.id }));
  await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await stepAt(member.visitor, new URL((await authorize(member.visitor, config)).location))).toBe(
    'no-entry',
  );
});

test('tokens of people without an organization end when an application becomes one for members (P22)', async () => {
  const { visitor } = await confirmed(app);
  const application = await registerApplication(app);
  const config = await discover(app, application);
  const { refresh_token: token = '' } = await enter(visitor, config);
  await client.refreshTokenGrant(config, token);
  await updateRows(app, 'applications', { id: application.id }, { members_of: 0 });
  await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('a person who may not enter goes back, or chooses another account', async () => {
  const at = await setting(app, { members_of: 0 });
  const { visitor, email } = await confirmed(app);
  const member = await founder(app, 'Member');
  const outsider = { ...at, visitor };
  const denied = await answer(visitor, await ask(outsider), 0);
  expect([isAtCallback(denied), errorOf(denied), denied.searchParams.get('error_description')]).toEqual([
    true,
    'access_denied',
    expect.stringContaining('no active member'),
  ]);
  const page = await ask(outsider);
  expect(await stepAt(visitor, page)).toBe('no-entry');
  app.clock.forward(1000);
  responseOf(await visitor.delete('/api/logout'));
  expect(await stepAt(visitor, page)).toBe('sign-in');
  await signIn(visitor, email);
  const again = await answer(visitor, page);
  expect(await stepAt(visitor, again)).toBe('no-entry');
  app.clock.forward(1000);
  responseOf(await visitor.delete('/api/logout'));
  await signIn(visitor, member.email);
  expect(isAtCallback(await answer(visitor, again))).toBe(true);
});

test.for(['select_account', 'create'])('prompt=%s asks a signed-in person, once', async (prompt) => {
  const at = await setting(app);
  const page = await ask(at, { prompt });
  expect(await stepAt(at.visitor, page)).toBe('account');
  expect(isAtCallback(await answer(at.visitor, page))).toBe(true);
  const stranger = { ...at, visitor: app.visitor() };
  const first = await ask(stranger, { prompt });
  const { email } = await confirmed(app);
  expect(await stepAt(stranger.visitor, first)).toBe(prompt === 'create' ? 'sign-up' : 'sign-in');
  app.clock.forward(1000);
  await signIn(stranger.visitor, email);
  expect(isAtCallback(await answer(stranger.visitor, first))).toBe(true);
});

const API = 'https://api.sign.example/';
const SCOPES = 'openid offline_access';

let visitor: Visitor;
let orgId: number;
beforeAll(async () => {
  ({ visitor, orgId } = await founder(app, 'Requests'));
});

test.for(['a plain request', 'consent'])(
  'offline_access is granted without prompt=consent: %s',
  async (way) => {
    const isForeign = way === 'consent';
    const config = await discover(app, await registerApplication(app, { is_first_party: !isForeign }));
    const person = await founder(app, 'Offline');
    const request = { scope: SCOPES };
    const tokens = await (isForeign ? consent : enter)(person.visitor, config, request);
    expect(tokens.scope).toBe(SCOPES);
    responseOf(await person.visitor.delete('/api/logout'));
    expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).scope).toBe(SCOPES);
  },
);

test('a refresh may repeat scopes that were left out, but asks for no further ones', async () => {
  const config = await discover(app, await registerApplication(app));
  const { refresh_token: token = '' } = await enter(visitor, config, { scope: 'openid address unknown' });
  const refresh = (scope: string) => client.refreshTokenGrant(config, token, { scope });
  expect((await refresh('openid address unknown offline_access')).scope).toBe('openid');
  await expect(refresh('openid email')).rejects.toMatchObject({ error: 'invalid_scope' });
});

test('an application without PKCE needs a nonce (P4)', async () => {
  const at = await setting(app, { requires_pkce: false });
  const { code_challenge: _challenge, code_challenge_method: _method, ...request } = at.request;
  const without = { ...at, request: request as typeof at.request };
  expect(errorOf(await askAtOnce(without))).toBe('invalid_request');
  const code = (await askAtOnce(without, { nonce: 'n-1' })).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  const answer = await sendForm(app, '/oidc/token', form, at.application);
  expect(decodeJwt(((await answer.json()) as { id_token: string }).id_token)['nonce']).toBe('n-1');
});

test.for([true, false])(
  'a token for an API names session and organization, if asked: %s',
  async (isAsked) => {
    const config = await discover(app, await registerApplication(app, { apis: [API] }));
    const scope = isAsked ? 'openid organization' : 'openid';
    const tokens = await enter(visitor, config, { scope, resource: API });
    const { refresh_token: refreshToken = '' } = tokens;
    const refreshed = await client.refreshTokenGrant(config, refreshToken, { resource: API });
    const { access_token: token } = refreshed;
    const { sid, org_id: organization, role, permissions } = decodeJwt(token);
    expect(sid).toBe(tokens.claims()?.['sid']);
    expect([organization, role, typeof permissions]).toEqual(
      isAsked ? [orgId, 'Super Admin', 'object'] : [undefined, undefined, 'undefined'],
    );
  },
);
