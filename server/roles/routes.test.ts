import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { confirmed, founder, type Person } from '#server/testing/people.ts';
import { roleCalls } from '#server/testing/role-calls.ts';
import { activityOf, newRole, organizationOf, staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ MAX_ORGS_PER_USER: '1000' });
let maya: Person;
let boss: Awaited<ReturnType<typeof organizationOf>>;
beforeAll(async () => {
  maya = await confirmed(app);
});
beforeEach(async () => {
  boss = await organizationOf(maya);
});

const { add, bits, builtIn, create, listed, read, remove, save, table } = roleCalls(() => ({
  app,
  boss,
}));

describe('POST /role', () => {
  test('adds a role without rights, and the log says so', async () => {
    const id = await add('Sales');
    expect((await listed()).at(-1)).toEqual({
      id,
      name: 'Sales',
      created_time: app.clock.now().toISOString(),
      created_by: 'Maya Lindqvist',
      is_admin: 0,
      is_system: 0,
      members: 0,
      may_give: 1,
    });
    expect(responseOf(await read(`&role_id=${id}&isPermission=1`))).toEqual({
      role_id: id,
      role_name: 'Sales',
      role_permission: table(),
    });
    expect((await activityOf(app, boss.orgId))[0]).toEqual({
      user_id: boss.id,
      activity_type: ACTIVITY_TYPE.roleInformation,
      action: ACTION.create,
      module: MODULE.organization,
      record_id: id,
      information: { role: 'Sales', name: [null, 'Sales'], is_admin: [null, false] },
    });
  });

  test('can add an admin role, whose holders are admins', async () => {
    const person = await staff(app, boss.orgId, await add('Office', 1));
    expect((await read('', person)).status).toBe(200);
    expect((await create({ role_name: 'Sales', is_admin: 1 }, person)).status).toBe(200);
  });

  test.each(['Sales', ' SＡLES '])('%j is taken if there is a role Sales', async (role_name) => {
    await add('Sales');
    const answer = await create({ role_name });
    expect([answer.status, answer.code]).toEqual([409, 'role_already_exists']);
  });

  test.each(['Sup\u200Cer Аdmin', 'SuperAdmin', 'Pоrtico'])(
    '%j passes for the portal or its role',
    async (role_name) => expect((await create({ role_name })).code).toBe('role_already_exists'),
  );
});

describe('GET /role', () => {
  test('built-in roles hold every right, and the answer has the rights only if requested', async () => {
    const all = bits(1, 1, 1, 1);
    const id = await builtIn('Admin');
    expect(responseOf(await read(`&role_id=${id}&isPermission=1`))).toMatchObject({
      role_permission: { sign: Object.fromEntries(Object.keys(table().sign).map((module) => [module, all])) },
    });
    for (const query of [`&role_id=${id}`, `&role_id=${id}&isPermission=0`])
      expect(responseOf(await read(query))).toEqual({ role_id: id, role_name: 'Admin' });
  });

  test('a role of another organization and a missing role are not found', async () => {
    const other = await founder(app);
    const foreign = await newRole(other.visitor, other.orgId, 'Sales');
    for (const id of [foreign, 999_999]) expect((await read(`&role_id=${id}`)).code).toBe('role_not_found');
    expect((await save({ role_id: foreign, role_name: 'Mine' })).code).toBe('role_not_found');
    expect((await save({ role_id: foreign, permission: table() })).code).toBe('role_not_found');
    expect((await remove(foreign, await builtIn('Admin'))).code).toBe('role_not_found');
    expect((await read('', other)).code).toBe('org_not_found');
  });
});

describe('PUT /role with a name', () => {
  test('renames the role, and the log has the old and the new name', async () => {
    const id = await add('Sales');
    expect(responseOf(await save({ role_id: id, role_name: ' Field sales ' }))).toMatchObject({
      id,
      name: 'Field sales',
    });
    expect((await activityOf(app, boss.orgId))[0]).toMatchObject({
      record_id: id,
      information: { role: 'Field sales', name: ['Sales', 'Field sales'] },
    });
  });

  test('the same name is no change, another spelling is a change, and another role’s name is taken', async () => {
    const id = await add('Sales');
    await add('Support');
    const rows = (await activityOf(app, boss.orgId)).length;
    expect((await save({ role_id: id, role_name: 'Sales' })).code).toBe('no_changes');
    expect((await save({ role_id: id, role_name: 'support' })).code).toBe('role_already_exists');
    for (const role_name of ['super admin', 'Super ꓮdmin', 'Super-Admin'])
      expect((await save({ role_id: id, role_name })).code).toBe('role_already_exists');
    expect(await activityOf(app, boss.orgId)).toHaveLength(rows);
    expect(responseOf(await save({ role_id: id, role_name: 'SALES' }))).toMatchObject({ name: 'SALES' });
  });
});

describe('PUT /role with rights', () => {
  test('stores the rights, adds read beside any other right, and answers the stored rights', async () => {
    const id = await add('Sales');
    const permission = table({ 1: bits(1), 2: bits(0, 1), 5: bits(0, 0, 1, 1) });
    const stored = table({ 1: bits(1, 1), 2: bits(0, 1), 5: bits(0, 1, 1, 1) });
    const answer = responseOf(await save({ role_id: id, permission }));
    expect(answer).toEqual({ role_id: id, role_name: 'Sales', role_permission: stored });
    expect(responseOf(await read(`&role_id=${id}&isPermission=1`))).toEqual(answer);
    expect((await activityOf(app, boss.orgId))[0]).toMatchObject({
      record_id: id,
      information: {
        role: 'Sales',
        'sign.1.create': [false, true],
        'sign.1.read': [false, true],
        'sign.2.read': [false, true],
        'sign.5.read': [false, true],
        'sign.5.update': [false, true],
        'sign.5.delete': [false, true],
      },
    });
    expect((await save({ role_id: id, permission: stored })).code).toBe('no_changes');
    responseOf(await save({ role_id: id, permission: table({ 1: bits(0, 1) }) }));
    expect((await activityOf(app, boss.orgId))[0]?.information).toMatchObject({
      'sign.1.create': [true, false],
      'sign.5.read': [true, false],
    });
  });

  test('a module that is left out, as by an older page, keeps its rights', async () => {
    const id = await add('Sales');
    responseOf(await save({ role_id: id, permission: table({ 5: bits(0, 1) }) }));
    const older = Object.fromEntries(Object.entries(table().sign).filter(([module]) => module !== '5'));
    const permission = { sign: { ...older, 1: bits(0, 1) } };
    const answer = await save({ role_id: id, permission, was_permission: { sign: older } });
    expect(responseOf(answer)).toMatchObject({
      role_permission: table({ 1: bits(0, 1), 5: bits(0, 1) }),
    });
    const { information } = (await activityOf(app, boss.orgId))[0] ?? {};
    expect(information).toEqual({ role: 'Sales', 'sign.1.read': [false, true] });
  });
});
