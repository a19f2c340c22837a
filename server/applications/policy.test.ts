import * as client from 'openid-client';
import { expect, test } from 'vitest';
import {
  ask as askAtOnce,
  authorize,
  discover,
  enter,
  errorOf,
  isAtCallback,
  registerApplication,
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
