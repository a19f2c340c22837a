import { beforeAll, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { moveToAddress } from '#server/accounts/addresses/data.ts';
import { transaction } from '#server/db/connect.ts';
import {
  type Boss,
  colleague,
  confirmed,
  founder,
  newEmail,
  type Person,
  rolesOf,
} from '#server/testing/people.ts';
import { activityOf, organizationOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

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

test('a member is shown with their current address', async () => {
  const tom = await colleague(app, boss);
  const moved = newEmail('tom');
  await move(tom, moved);
  expect(await memberRow(tom)).toMatchObject({ email: moved });
});

test('a profile edit is in the log of every organization that it changes, with old and new', async () => {
  const tom = await colleague(app, boss);
  const own = await organizationOf(tom, 'Elsewhere');
  const change = { first_name: 'Zaphod', last_name: 'Beeblebrox', designation: 'Spy' };
  responseOf(await rename(tom, { org_id: own.orgId, ...change, country: 'Norway' }));
  const [row] = await activityOf(app, boss.orgId);
  expect(row).toMatchObject({
    user_id: tom.id,
    module: MODULE.profile,
    activity_type: ACTIVITY_TYPE.profileInformation,
    action: ACTION.update,
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
