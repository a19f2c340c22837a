import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// What organizations learn of a person: the members that they belong to, not the strangers that were invited.

let app: TestApp;
let boss: Boss;
beforeAll(async () => {
  app = await startApp({ RATE_LIMIT_FACTOR: '100' });
  boss = await founder(app);
});
afterAll(() => app.close());

type Shown = { user_id: number; first_name: string; last_name: string; designation: string; email: string };
const shown = async ({ id }: { readonly id: number }) => {
  const answer = await boss.visitor.get(`/api/orgusers?org_id=${boss.orgId}&limit=100`);
  return responseOf<{ members: Shown[] }>(answer).members.find((member) => member.user_id === id);
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

test('whoever is only invited stays whom the inviter wrote to, whatever becomes of their profile and address', async () => {
  const person = await confirmed(app);
  const invitation = { org_id: boss.orgId, role_id: (await rolesOf(boss))['Admin'], email_id: person.email };
  const said = { first_name: 'Tom', last_name: 'Berg' };
  responseOf(await boss.visitor.post('/api/orgusers', { ...invitation, ...said }));
  responseOf(await rename(person));
  await move(person, newEmail('private'));
  expect(await shown(person)).toMatchObject({ ...said, designation: '', email: person.email });
  const before = (await app.mails(person.email)).length;
  responseOf(await boss.visitor.post('/api/orgusers/resend', { org_id: boss.orgId, user_id: person.id }));
  expect(await app.mails(person.email)).toHaveLength(before + 1);

  responseOf(await boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: person.id }));
  const log = await boss.visitor.get(`/api/auditlogs?org_id=${boss.orgId}`);
  const { user_names: names } = responseOf<{ user_names: Record<string, string> }>(log);
  expect(names[person.id]).toBe('Tom Berg');
  expect(JSON.stringify(log.body)).not.toMatch(/Zaphod|private/);
});

test('who has joined is known by the address of today from then on', async () => {
  const tom = await colleague(app, boss);
  const moved = newEmail('tom');
  await move(tom, moved);
  expect(await shown(tom)).toMatchObject({ email: moved });
});

test('an edit of one’s profile stands in the log of every organization that it reaches, with old and new', async () => {
  const tom = await colleague(app, boss);
  const own = await organizationOf(tom, 'Elsewhere');
  const change = { first_name: 'Zaphod', last_name: 'Beeblebrox', designation: 'Spy' };
  responseOf(await rename(tom, { org_id: own.orgId, ...change, country: 'Norway' }));
  const [here] = await activityOf(app, boss.orgId);
  expect(here).toMatchObject({ user_id: tom.id, module: 2, activity_type: 1, action: 3, record_id: tom.id });
  expect(here?.information).toEqual({
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
