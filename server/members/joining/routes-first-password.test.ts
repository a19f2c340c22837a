import { beforeAll, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { DAY_MS } from '#server/clock.ts';
import {
  type Boss,
  founder,
  idOf,
  invited,
  mailedDigest,
  PASSWORD,
  resetByMail,
} from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { fingerprint } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
let boss: Boss;
beforeAll(async () => {
  boss = await founder(app);
});

const choose = (digest: string, password = PASSWORD, visitor: Visitor = app.visitor()) =>
  visitor.post('/api/resetpassword', { digest, password, timezone: 'Europe/Stockholm' });
const signIn = (email: string, password = PASSWORD, visitor: Visitor = app.visitor()) =>
  visitor.post('/api/signin', { email_id: email, password, timezone: '' });
async function newcomer(by = boss) {
  const person = await invited(by);
  const [userId, digest] = await Promise.all([idOf(app, person.email), mailedDigest(app, person.email)]);
  return { ...person, userId, digest };
}
const membershipsOf = (userId: number) =>
  listRows(app, 'memberships', ['org_id', 'status', 'is_default'], { user_id: userId }, 'id');

test('a first password confirms the address, joins and signs in', async () => {
  const person = await newcomer();
  const visitor = app.visitor();
  expect(responseOf(await choose(person.digest, PASSWORD, visitor))).toEqual({});
  expect(responseOf(await visitor.get('/api/init'))).toMatchObject({
    default_organizations: { Id: boss.orgId, role: 'Admin', isDefault: 1 },
    user_information: {
      full_name: 'Tom Berg',
      email: person.email,
      confirmed: 1,
      country: 'Sweden',
      time_zone: 'Europe/Stockholm',
    },
  });
  const rows = await listRows(
    app,
    'activity',
    ['org_id', 'module', 'activity_type', 'action'],
    { user_id: person.userId },
    'id',
  );
  expect(rows).toEqual([
    {
      org_id: boss.orgId,
      module: MODULE.organization,
      activity_type: ACTIVITY_TYPE.invitationAnswer,
      action: ACTION.create,
    },
    { org_id: null, module: MODULE.profile, activity_type: ACTIVITY_TYPE.password, action: ACTION.create },
  ]);
  responseOf(await signIn(person.email));
});

test('the link works once, for seven days', async () => {
  const { digest } = await newcomer();
  responseOf(await choose(digest));
  expect((await choose(digest, 'another arch 43')).code).toBe('digest_invalid');
  const late = await newcomer();
  app.clock.forward(7 * DAY_MS);
  const answer = await choose(late.digest);
  expect([answer.status, answer.code]).toEqual([410, 'digest_expired']);
  expect((await signIn(late.email)).code).toBe('invalid_credentials');
});

test('the link cannot reset a password, and the link of a reset cannot join', async () => {
  const person = await newcomer();
  const reset = (digest: string) =>
    app.visitor().put('/api/resetpassword', { digest, password: PASSWORD, timezone: '' });
  expect((await reset(person.digest)).code).toBe('digest_invalid');
  await app.visitor().post('/api/forgotpassword', { email_id: person.email });
  responseOf(await reset(await mailedDigest(app, person.email)));
  expect(await membershipsOf(person.userId)).toMatchObject([{ status: 1 }]);
});

test('a person who has set a password since signs in to answer, and the old link sets none', async () => {
  const person = await newcomer();
  responseOf(await resetByMail(app, person.email, 'their own 55'));
  const before = await fingerprint(app.deps.sql);
  const answer = await choose(person.digest, 'intruder 66');
  expect([answer.code, answer.body.error?.details]).toEqual([
    'digest_invalid',
    'You have an account already. Please sign in to answer this invitation.',
  ]);
  expect(await fingerprint(app.deps.sql)).toEqual(before);
  const visitor = app.visitor();
  responseOf(await signIn(person.email, 'their own 55', visitor));
  expect(responseOf(await visitor.get(`/api/invitation?digest=${person.digest}`))).toMatchObject({
    state: 'open',
  });
  responseOf(await visitor.post('/api/invitation', { digest: person.digest, accept: 1 }));
});

test('with two invitations, the first link opens the account, and the second one asks for an answer', async () => {
  const other = await founder(app, 'Other');
  const person = await newcomer();
  await invited(other, { email: person.email });
  const second = await mailedDigest(app, person.email);
  const visitor = app.visitor();
  responseOf(await choose(person.digest, PASSWORD, visitor));
  expect((await choose(second, 'intruder 66')).code).toBe('digest_invalid');
  responseOf(await visitor.post('/api/invitation', { digest: second, accept: 1 }));
  expect(await membershipsOf(person.userId)).toEqual([
    { org_id: boss.orgId, status: 2, is_default: true },
    { org_id: other.orgId, status: 2, is_default: false },
  ]);
});
