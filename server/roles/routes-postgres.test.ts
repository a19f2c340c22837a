import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { OrgId } from '#contract/wire.ts';
import { confirmed, newEmail, type Person } from '#server/testing/people.ts';
import { join, newRole, organizationOf } from '#server/testing/staff.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { type Answer, responseOf } from '#server/testing/visitor.ts';

// Races, 200 rounds each. On one connection everything queues, so they are worth running on PostgreSQL only.

let app: TestApp;
let maya: Person;
beforeAll(async () => {
  app = await startApp();
  maya = await confirmed(app);
});
afterAll(() => app.close());

const ROUNDS = 200;
/** Four organizations take turns, so that rounds overlap where they may. */
const rounds = async (round: (orgId: number, number: number) => Promise<void>) => {
  const lane = async (at: number) => {
    const { orgId } = await organizationOf(maya);
    for (let number = at; number < ROUNDS; number += 4) await round(orgId, number);
  };
  await Promise.all([0, 1, 2, 3].map(lane));
  await app.deps.sql.deleteFrom('organizations').execute();
};

const remove = (org_id: number, role_id: number, new_role_id: number) =>
  maya.visitor.delete('/api/role', { org_id, role_id, new_role_id });
const rolesOf = async (orgId: number) => {
  const rows = await app.deps.sql
    .selectFrom('roles')
    .select('id')
    .where('org_id', '=', orgId as OrgId)
    .execute();
  return rows.map(({ id }) => Number(id));
};
const holdersOf = async (orgId: number, roleId: number) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from memberships where org_id = ${orgId} and role_id = ${roleId}`.execute(app.deps.sql);
  return rows[0]?.count;
};

/** Sends both at once, the one in front taking turns. */
const atOnce = async (number: number, one: () => Promise<Answer>, other: () => Promise<Answer>) => {
  if (number % 8 < 4) return Promise.all([one(), other()]);
  const [second, first] = await Promise.all([other(), one()]);
  return [first, second] as const;
};
const twoRoles = async (orgId: number, number: number) =>
  [
    await newRole(maya.visitor, orgId, `Old ${number}`),
    await newRole(maya.visitor, orgId, `New ${number}`),
  ] as const;

test('a role deleted while somebody is invited with it leaves nobody without a role', async () => {
  const outcomes = new Set<string>();
  await rounds(async (orgId, number) => {
    const [old, by] = await twoRoles(orgId, number);
    const person = { org_id: orgId, first_name: 'Tom', email_id: newEmail('tom') };
    const [invitation, removal] = await atOnce(
      number,
      () => maya.visitor.post('/api/orgusers', { ...person, role_id: old }),
      () => remove(orgId, old, by),
    );
    outcomes.add(invitation.code ?? 'invited');
    const holders = invitation.code ? 0 : 1;
    expect(responseOf(removal)).toEqual({ moved: holders });
    expect(await holdersOf(orgId, by)).toBe(holders);
  });
  expect([...outcomes].toSorted()).toEqual(['invited', 'role_not_found']);
});

test('a role deleted while somebody is given it leaves nobody without a role', async () => {
  const tom = await confirmed(app);
  const outcomes = new Set<string>();
  await rounds(async (orgId, number) => {
    if (number < 4) await join(app, tom, orgId, await newRole(maya.visitor, orgId, 'Home'));
    const [old, by] = await twoRoles(orgId, number);
    const edit = { org_id: orgId, user_id: tom.id, first_name: 'Tom' };
    const [assignment, removal] = await atOnce(
      number,
      () => maya.visitor.put('/api/orgusers', { ...edit, role_id: old }),
      () => remove(orgId, old, by),
    );
    outcomes.add(assignment.code ?? 'assigned');
    const holders = assignment.code ? 0 : 1;
    expect(responseOf(removal)).toEqual({ moved: holders });
    expect(await holdersOf(orgId, by)).toBe(holders);
  });
  expect([...outcomes].toSorted()).toEqual(['assigned', 'role_not_found']);
});

test('of two deletions that name each other as replacement one succeeds', async () => {
  await rounds(async (orgId, number) => {
    const [one, two] = [
      await newRole(maya.visitor, orgId, `One ${number}`),
      await newRole(maya.visitor, orgId, `Two ${number}`),
    ];
    const answers = await Promise.all([remove(orgId, one, two), remove(orgId, two, one)]);
    expect(answers.map(({ code }) => code ?? 'done').toSorted()).toEqual(['done', 'role_not_found']);
    expect((await rolesOf(orgId)).filter((id) => id === one || id === two)).toHaveLength(1);
  });
});

test('of two roles with one name one is made', async () => {
  await rounds(async (orgId, number) => {
    const before = await rolesOf(orgId);
    const answers = await Promise.all(
      [`Role ${number}`, `ROLE  ${number}`].map((role_name) =>
        maya.visitor.post('/api/role', { org_id: orgId, role_name }),
      ),
    );
    expect(answers.map(({ code }) => code ?? 'done').toSorted()).toEqual(['done', 'role_already_exists']);
    expect(await rolesOf(orgId)).toHaveLength(before.length + 1);
  });
});

test('two tables of rights saved at once never mix, and the log ends with the one that stayed', async () => {
  const none = { create: 0, read: 0, update: 0, delete: 0 };
  const table = (module: number) => ({
    sign: Object.fromEntries(
      [1, 2, 3, 4, 5].map((at) => [at, at === module ? { ...none, read: 1, update: 1 } : none]),
    ),
  });
  await rounds(async (orgId, number) => {
    const role_id = await newRole(maya.visitor, orgId, `Role ${number}`);
    const saves = await Promise.all(
      [1, 2].map((module) =>
        maya.visitor.put('/api/role', { org_id: orgId, role_id, permission: table(module) }),
      ),
    );
    const answers = saves.map((answer) => responseOf<{ role_permission: object }>(answer).role_permission);
    const read = await maya.visitor.get(`/api/role?org_id=${orgId}&role_id=${role_id}&isPermission=1`);
    const { role_permission: stored } = responseOf<{ role_permission: object }>(read);
    expect(answers).toContainEqual(stored);
    const row = await app.deps.sql
      .selectFrom('activity')
      .select('information')
      .where('org_id', '=', orgId as OrgId)
      .where('record_id', '=', role_id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const kept = JSON.stringify(stored) === JSON.stringify(table(1)) ? [1, 2] : [2, 1];
    expect(row?.information).toMatchObject({
      [`sign.${kept[0]}.update`]: [false, true],
      [`sign.${kept[1]}.update`]: [true, false],
    });
  });
});
