import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { MEMBER_STATUS } from '#contract/members.ts';
import { type OrgId, type RoleId, type UserId } from '#contract/wire.ts';
import { transaction } from '#server/db/connect.ts';
import { findRole, lockOrganization } from '#server/members/data.ts';
import { confirmed, type Person } from '#server/testing/people.ts';
import { newRole, organizationOf } from '#server/testing/staff.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

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

test('a role deleted while somebody is invited with it leaves nobody without a role', async () => {
  const people = await Promise.all([0, 1, 2, 3].map(() => confirmed(app)));
  const invite = (orgId: number, roleId: number, userId: number) =>
    transaction(app.deps.sql, async (tx) => {
      await lockOrganization(tx, orgId as OrgId);
      if (!(await findRole(tx, orgId as OrgId, roleId as RoleId))) return false;
      await tx
        .insertInto('memberships')
        .values({
          org_id: orgId as OrgId,
          user_id: userId as UserId,
          role_id: roleId as RoleId,
          status: MEMBER_STATUS.invited,
          first_name: 'Tom',
          created_at: app.clock.now(),
        })
        .execute();
      return true;
    });
  const outcomes = new Set<boolean>();
  await rounds(async (orgId, number) => {
    const [old, by] = [
      await newRole(maya.visitor, orgId, `Old ${number}`),
      await newRole(maya.visitor, orgId, `New ${number}`),
    ];
    const person = people[number % 4];
    if (!person) throw new Error('nobody to invite');
    const work = [() => remove(orgId, old, by), () => invite(orgId, old, person.id)];
    // Who is sent first should not always win.
    const [one, two] = number % 8 < 4 ? work : work.toReversed();
    const answers = await Promise.all([one?.(), two?.()]);
    const invited = answers.find((answer) => typeof answer === 'boolean');
    const removed = answers.find((answer) => typeof answer === 'object');
    outcomes.add(invited === true);
    expect(removed && responseOf(removed)).toEqual({ moved: invited ? 1 : 0 });
    expect(await holdersOf(orgId, by)).toBe(invited ? 1 : 0);
    await app.deps.sql
      .deleteFrom('memberships')
      .where('user_id', '=', person.id as UserId)
      .execute();
  });
  expect(outcomes).toEqual(new Set([true, false]));
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
