import { describe, expect, test } from 'vitest';
import type { NotificationType } from '#contract/communications/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { MINUTE_MS } from '#server/clock.ts';
import {
  type Boss,
  colleague,
  confirmed,
  deactivate,
  founder,
  otherCode,
  PASSWORD,
  type Person,
  rolesOf,
  TYPED_CODE,
} from '#server/testing/people.ts';
import { plantedChallenge } from '#server/testing/planted.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });

const choicesOf = async ({ visitor }: Person) => responseOf(await visitor.get('/api/emailnotify'));
const choose = ({ visitor }: Person, body: object) => visitor.put('/api/emailnotify', body);
const loggedFor = ({ id }: Person) =>
  listRows(
    app,
    'activity',
    ['org_id', 'module', 'action', 'information'],
    { user_id: id, activity_type: 4 },
    'id',
  );

describe('GET and PUT /emailnotify', () => {
  test('changes the named types, keeps the rest, and concerns only the caller', async () => {
    const [person, other] = [await confirmed(app), await confirmed(app)];
    expect(responseOf(await choose(person, { 2: 1 }))).toEqual({ 1: 0, 2: 1, 3: 0 });
    expect(responseOf(await choose(person, { 1: 1, 3: 1 }))).toEqual({ 1: 1, 2: 1, 3: 1 });
    expect(responseOf(await choose(person, { 2: 0 }))).toEqual({ 1: 1, 2: 0, 3: 1 });
    expect(await choicesOf(person)).toEqual({ 1: 1, 2: 0, 3: 1 });
    expect(await choicesOf(other)).toEqual({ 1: 0, 2: 0, 3: 0 });
  });

  test('the database accepts a type that only a newer process offers', async () => {
    const person = await confirmed(app);
    const row = { user_id: person.id as UserId, type: 4 as NotificationType, wanted: true };
    await app.deps.sql.insertInto('email_preferences').values(row).execute();
    expect(await choicesOf(person)).toEqual({ 1: 0, 2: 0, 3: 0 });
  });

  test('an unchanged choice is refused and writes nothing', async () => {
    const person = await confirmed(app);
    responseOf(await choose(person, { 2: 1 }));
    for (const body of [{ 2: 1 }, { 1: 0 }, { 1: 0, 2: 1, 3: 0 }])
      expect((await choose(person, body)).code).toBe('no_changes');
    expect(await loggedFor(person)).toHaveLength(1);
  });

  test('two choices at once are both kept', async () => {
    const person = await confirmed(app);
    await Promise.all([choose(person, { 1: 1 }), choose(person, { 3: 1 })]);
    expect(await choicesOf(person)).toEqual({ 1: 1, 2: 0, 3: 1 });
    expect(await loggedFor(person)).toHaveLength(2);
  });
});

type Member = Awaited<ReturnType<typeof colleague>>;
type Happens = (member: Member, boss: Boss) => Promise<unknown>;

const signIn = ({ email }: Member) =>
  app.visitor().post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' });

/** Events with the subject of their only mail. */
const events: { what: string; subject: string; happens: Happens }[] = [
  { what: 'a new device', subject: 'New sign-in to your account', happens: signIn },
  {
    what: 'another role',
    subject: 'Your role in Northwind Traders has changed',
    happens: async ({ id }, boss) => {
      const role_id = (await rolesOf(boss))['Super Admin'];
      const edit = { org_id: boss.orgId, user_id: id, first_name: 'Tom', last_name: 'Berg', role_id };
      return boss.visitor.put('/api/orgusers', edit);
    },
  },
  {
    what: 'restriction',
    subject: 'Your account is restricted for a while',
    happens: async (member) => {
      for (let half = 0; half < 2; half += 1) {
        const { visitor } = await plantedChallenge(app, member);
        for (let wrong = 0; wrong < 5; wrong += 1)
          await visitor.post('/api/verifyotp', { contact: 'x', otp: otherCode(TYPED_CODE), timezone: '' });
      }
    },
  },
  {
    what: 'deletion',
    subject: 'Your account is deactivated',
    happens: async (member) => deactivate(app, member),
  },
];

test.for(events)(
  '$what sends one mail, although no mails were chosen: $subject',
  async ({ subject, happens }) => {
    const boss = await founder(app);
    const member = await colleague(app, boss);
    const earlier = (await app.mails(member.email)).length;
    await happens(member, boss);
    // The end of a quiet time.
    app.clock.forward(10 * MINUTE_MS);
    const subjects = (await app.mails(member.email)).slice(earlier).map((mail) => mail.subject);
    expect(subjects).toEqual([subject]);
  },
);
