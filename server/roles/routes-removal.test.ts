import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { areaFieldText } from '#contract/text/area-fields.ts';
import { fieldText } from '#contract/text/fields.ts';
import { confirmed, founder, type Person } from '#server/testing/people.ts';
import { roleCalls } from '#server/testing/role-calls.ts';
import { activityOf, join, newRole, organizationOf, staff } from '#server/testing/staff.ts';
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

const { add, bits, builtIn, listed, remove, save, table } = roleCalls(() => ({ app, boss }));

describe('DELETE /role', () => {
  test('members and pending invitations take the replacement, and the log counts them', async () => {
    const [sales, support] = [await add('Sales'), await add('Support')];
    responseOf(await save({ role_id: sales, permission: table({ 1: bits(1) }) }));
    const person = await staff(app, boss.orgId, sales);
    const pending = await confirmed(app);
    await join(app, pending, boss.orgId, sales, 1);
    for (const status of [3, 4] as const) await join(app, await confirmed(app), boss.orgId, sales, status);
    expect(responseOf(await remove(sales, support))).toEqual({ moved: 4 });
    expect((await listed()).map(({ name, members }) => [name, members])).toEqual([
      ['Super Admin', 1],
      ['Admin', 0],
      ['Support', 4],
    ]);
    expect(responseOf(await person.visitor.get(`/api/init?org_id=${boss.orgId}`))).toMatchObject({
      default_organizations: { role: 'Support' },
    });
    expect((await activityOf(app, boss.orgId))[0]).toMatchObject({
      activity_type: ACTIVITY_TYPE.roleInformation,
      action: ACTION.delete,
      record_id: sales,
      information: { role: 'Sales', name: ['Sales', null], moved_to: 'Support', moved: 4 },
    });
    expect((await remove(sales, support)).code).toBe('role_not_found');
    expect((await app.mails(person.email)).at(-1)?.text).toContain('role Support');
    expect((await app.mails(pending.email)).map(({ subject }) => subject)).not.toContain(
      'Your role in Northwind Traders has changed',
    );
  });

  test('the replacement has to be another role of this organization', async () => {
    const sales = await add('Sales');
    const other = await founder(app);
    const foreign = await newRole(other.visitor, other.orgId, 'Sales');
    const same = await remove(sales, sales);
    expect([same.status, same.body.error?.fields]).toEqual([422, { new_role_id: areaFieldText.otherRole }]);
    for (const id of [foreign, 999_999]) expect((await remove(sales, id)).code).toBe('role_not_found');
    const missing = await boss.visitor.delete('/api/role', { org_id: boss.orgId, role_id: sales });
    expect(missing.body.error?.fields).toEqual({ new_role_id: fieldText.required });
    expect((await listed()).map(({ name }) => name)).toContain('Sales');
  });

  test('an Admin makes nobody an admin or Super Admin by replacing a role (G5)', async () => {
    const admin = await staff(app, boss.orgId, 'Admin');
    const [sales, office] = [await add('Sales'), await add('Office', 1)];
    for (const id of [await builtIn('Super Admin'), await builtIn('Admin'), office])
      expect((await remove(sales, id, admin)).code).toBe('not_allowed');
    expect((await remove(office, await builtIn('Super Admin'), admin)).code).toBe('not_allowed');
    expect((await remove(office, sales, admin)).status).toBe(200);
    expect((await remove(sales, await builtIn('Admin'))).status).toBe(200);
  });
});

describe('nobody can change', () => {
  test.each(['Super Admin', 'Admin'])('the built-in role %s (G6)', async (name) => {
    const [id, sales] = [await builtIn(name), await add('Sales')];
    const before = await listed();
    expect((await save({ role_id: id, role_name: 'Mine' })).code).toBe('not_allowed');
    expect((await save({ role_id: id, permission: table() })).code).toBe('not_allowed');
    expect((await remove(id, sales)).code).toBe('not_allowed');
    expect(await listed()).toEqual(before);
  });

  test('the role they hold', async () => {
    const [office, sales] = [await add('Office', 1), await add('Sales')];
    const person = await staff(app, boss.orgId, office);
    expect((await save({ role_id: office, role_name: 'Mine' }, person)).code).toBe('not_allowed');
    expect((await save({ role_id: office, permission: table({ 1: bits(1) }) }, person)).code).toBe(
      'not_allowed',
    );
    expect((await remove(office, sales, person)).code).toBe('not_allowed');
  });
});
