import { beforeAll, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { moveToAddress } from '#server/accounts/addresses/data.ts';
import { transaction } from '#server/db/connect.ts';
import { self } from '#server/testing/addresses.ts';
import {
  type Boss,
  colleague,
  confirmed,
  founder,
  invited,
  mailedDigest,
  newEmail,
  PASSWORD,
  type Person,
  rolesOf,
} from '#server/testing/people.ts';
import { activityOf, organizationOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

// Organizations see the profile changes of their members, not those of people who are only invited.

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
let boss: Boss;
beforeAll(async () => {
  boss = await founder(app);
});

type MemberRow = {
  user_id: number;
  first_name: string;
  last_name: string;
  designation: string;
  email: string;
};
const memberRow = async ({ id }: { readonly id: number }) => {
  const answer = await boss.visitor.get(`/api/orgusers?org_id=${boss.orgId}&limit=100`);
  return responseOf<{ members: MemberRow[] }>(answer).members.find((member) => member.user_id === id);
};
const move = (person: Person, to: string) =>
  transaction(app.deps.sql, (tx) => moveToAddress(tx, person.id as UserId, to, app.clock.now()));
const rename = (person: Person, more: object = {}) =>
  person.visitor.put('/api/user', {
    first_name: 'Zaphod',
    last_name: 'Beeblebrox',
    designation: 'Spy',
    ...more,
  });

test('an invited person keeps the names and address of the invitation, even if their profile and address change', async () => {
  const person = await confirmed(app);
  const invitation = { org_id: boss.orgId, role_id: (await rolesOf(boss))['Admin'], email_id: person.email };
  const invitedNames = { first_name: 'Tom', last_name: 'Berg' };
  const guest = responseOf<MemberRow>(
    await boss.visitor.post('/api/orgusers', { ...invitation, ...invitedNames }),
  );
  responseOf(await rename(person));
  await move(person, newEmail('private'));
  expect(await memberRow({ id: guest.user_id })).toMatchObject({
    ...invitedNames,
    designation: '',
    email: person.email,
  });
  const before = (await app.mails(person.email)).length;
  // A resent invitation goes to the account that has the address now.
  const resend = { org_id: boss.orgId, user_id: guest.user_id };
  const { user_id: id } = responseOf<MemberRow>(await boss.visitor.post('/api/orgusers/resend', resend));
  expect(await app.mails(person.email)).toHaveLength(before + 1);

  responseOf(await boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: id }));
  const log = await boss.visitor.get(`/api/auditlogs?org_id=${boss.orgId}`);
  const { audit, user_names: names } = responseOf<{
    audit: { record_id: number }[];
    user_names: Record<string, string>;
  }>(log);
  expect(names[audit[0]?.record_id ?? 0]).toBe('Tom Berg');
  expect(JSON.stringify(log.body)).not.toMatch(/Zaphod|private/);
});

test('a profile edit is in the log of every organization that it changes, with old and new', async () => {
  const tom = await colleague(app, boss);
  const own = await organizationOf(tom, 'Elsewhere');
  const change = { first_name: 'Zaphod', last_name: 'Beeblebrox', designation: 'Spy' };
  responseOf(await rename(tom, { org_id: own.orgId, ...change, country: 'Norway' }));
  const [row] = await activityOf(app, boss.orgId);
  expect(row).toMatchObject({
    user_id: tom.id,
    record_id: tom.id,
  });
  expect(row?.information).toEqual({
    first_name: ['Tom', 'Zaphod'],
    last_name: ['Berg', 'Beeblebrox'],
    designation: ['', 'Spy'],
  });
  const [there] = await activityOf(app, own.orgId);
  expect(there?.information).toMatchObject({ country: ['Sweden', 'Norway'], designation: ['', 'Spy'] });

  const before = (await activityOf(app, boss.orgId)).length;
  responseOf(await tom.visitor.put('/api/user', { first_name: 'Zaphod', country: 'Sweden' }));
  expect(await activityOf(app, boss.orgId)).toHaveLength(before);
});

const rowsOf = (userId: number) =>
  app.deps.sql
    .selectFrom('activity')
    .selectAll()
    .where('user_id', '=', userId as UserId)
    .orderBy('id', 'desc')
    .execute();

test('changed fields are stored, omitted ones stay, and the log has old and new', async () => {
  const { visitor, id, orgId } = await founder(app);
  const answer = await visitor.put('/api/user', {
    first_name: 'Maj',
    designation: 'Head of Operations',
    org_id: orgId,
  });
  const user = {
    first_name: 'Maj',
    last_name: 'Lindqvist',
    full_name: 'Maj Lindqvist',
    designation: 'Head of Operations',
    user_role: 'Super Admin',
  };
  expect(responseOf(answer)).toMatchObject(user);
  expect(responseOf(await visitor.get(`/api/user?org_id=${orgId}`))).toMatchObject(user);
  expect((await rowsOf(id))[0]).toMatchObject({
    org_id: orgId,
    record_id: id,
    information: { first_name: ['Maya', 'Maj'], designation: ['', 'Head of Operations'] },
  });
});

test('a change of names reaches every membership', async () => {
  const { visitor } = await founder(app);
  responseOf(await visitor.put('/api/user', { first_name: 'Maj', last_name: '', designation: 'Lead' }));
  expect(responseOf(await visitor.get('/api/init'))).toMatchObject({
    organizations_users: [{ first_name: 'Maj', last_name: '', designation: 'Lead' }],
  });
});

test('equal values are no change and write nothing', async () => {
  const { visitor, id } = await founder(app);
  const before = (await rowsOf(id)).length;
  const answer = await visitor.put('/api/user', { first_name: ' Maya ', last_name: 'Lindqvist' });
  expect([answer.status, answer.code, answer.body.error?.details]).toEqual([409, 'no_changes', 'No changes']);
  expect(await rowsOf(id)).toHaveLength(before);
});

/** Every call that takes a time zone. Each returns the person who then has it. */
const ways: Record<string, (timezone: string) => Promise<Visitor>> = {
  'signing up': async (timezone) => {
    const visitor = app.visitor();
    responseOf(await visitor.post('/api/signup', { emailId: newEmail(), password: PASSWORD, timezone }));
    return visitor;
  },
  'signing in without one': async (timezone) => {
    const { email, id } = await confirmed(app);
    const users = app.deps.sql.updateTable('users').set({ time_zone: null, country: 'India' });
    await users.where('id', '=', id as UserId).execute();
    const visitor = app.visitor();
    responseOf(await visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone }));
    return visitor;
  },
  'a first password': async (timezone) => {
    const { email } = await invited(await founder(app));
    const visitor = app.visitor();
    const digest = await mailedDigest(app, email);
    responseOf(await visitor.post('/api/resetpassword', { digest, password: PASSWORD, timezone }));
    return visitor;
  },
  'the profile': async (timezone) => {
    const { visitor } = await confirmed(app);
    const body = { first_name: 'Maya', country: 'India', time_zone: timezone };
    responseOf(await visitor.put('/api/user', body));
    return visitor;
  },
};

test.each(Object.keys(ways))(
  '%s stores a renamed zone under its current name, with its country',
  async (way) => {
    const visitor = await ways[way]?.('Asia/Calcutta');
    expect(visitor && (await self({ visitor }))).toMatchObject({
      time_zone: 'Asia/Kolkata',
      country: 'India',
    });
  },
);

test.each(['signing up', 'signing in without one', 'a first password'])(
  '%s ignores an unknown zone',
  async (way) => {
    const visitor = await ways[way]?.('Mars/Olympus');
    expect(visitor && (await self({ visitor }))).toMatchObject({ time_zone: null });
  },
);
