import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { everyRight } from '#contract/roles/permissions.ts';
import { areaFieldText } from '#words/area-field.ts';
import { fieldText } from '#words/field.ts';
import { serverFieldText } from '#words/server-field.ts';
import { confirmed, founder, newEmail, type Person } from '#server/testing/people.ts';
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

const calls = roleCalls(() => ({ app, boss }));
const { add, bits, builtIn, holdersOf, listed, read, remove, removeKnowing, save, table } = calls;

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

describe('few rights', () => {
  let lead: Person;
  const every = table(
    Object.fromEntries(Object.keys(table().sign).map((module) => [module, bits(1, 1, 1, 1)])),
  );
  /** A lead with these rights. */
  const leadWith = async (permission: object) => {
    const role = await add('Lead', 1);
    responseOf(await save({ role_id: role, permission }));
    return staff(app, boss.orgId, role);
  };
  const roleWith = async (name: string, permission: object) => {
    const role = await add(name);
    responseOf(await save({ role_id: role, permission }));
    return role;
  };
  const give = (person: Person, role_id: number, by: Person) =>
    by.visitor.put('/api/orgusers', { org_id: boss.orgId, user_id: person.id, first_name: 'Tom', role_id });

  describe('with few rights', () => {
    beforeEach(async () => {
      lead = await leadWith(table({ 1: bits(1, 1) }));
    });

    test('each role says whether the lead may give it, and which rights they lack', async () => {
      await roleWith('Reader', table({ 1: bits(0, 1) }));
      await roleWith('Writer', table({ 1: bits(1, 1, 1), 2: bits(0, 1) }));
      const listed = responseOf<Record<string, unknown>[]>(await read('', lead)).map((role) => [
        role['name'],
        role['may_give'],
        (role['missing'] as string[] | undefined)?.length,
      ]);
      expect(listed).toEqual([
        ['Super Admin', 0, everyRight.length - 2],
        ['Admin', 0, everyRight.length - 2],
        ['Lead', 1, undefined],
        ['Reader', 1, undefined],
        ['Writer', 0, 2],
      ]);
      expect(responseOf<Record<string, unknown>[]>(await read('', lead)).at(-1)).toMatchObject({
        missing: ['sign.1.update', 'sign.2.read'],
      });
    });

    test('a role says which of its rights the lead may give or take', async () => {
      const reader = await add('Reader');
      expect(responseOf(await read(`&role_id=${reader}&grantable=1`, lead))).toMatchObject({
        grantable: table({ 1: bits(1, 1) }),
      });
      expect(responseOf(await read(`&role_id=${reader}&grantable=1`))).toMatchObject({ grantable: every });
    });

    test('a refusal names the rights the lead lacks', async () => {
      const writer = await roleWith('Writer', table({ 1: bits(1, 1, 1), 2: bits(0, 1) }));
      const tom = await staff(app, boss.orgId, await add('Sales'));
      const lacks = 'it lacks Edit: Document, Read: Template.';
      const person = { org_id: boss.orgId, first_name: 'Ann', email_id: newEmail('ann'), role_id: writer };
      for (const answer of [
        await give(tom, writer, lead),
        await lead.visitor.post('/api/orgusers', person),
        await remove(await add('Clerk'), writer, lead),
      ]) {
        expect(answer.code).toBe('not_allowed');
        expect(answer.body.error?.details).toContain(lacks);
      }
      const admin = await give(tom, await builtIn('Admin'), lead);
      expect(admin.body.error?.details).toMatch(
        /it lacks Edit: Document, Delete: Document, .* and \d+ more\.$/,
      );
      const first = await give(tom, await builtIn('Super Admin'), lead);
      expect(first.body.error?.details).toContain('only a Super Admin can give the role Super Admin');
    });

    test('the lead can change only rights that they hold themselves', async () => {
      const writer = await roleWith('Writer', table({ 2: bits(0, 1) }));
      const saveAsLead = (modules: Record<number, object>) =>
        save({ role_id: writer, permission: table(modules) }, lead);
      expect((await saveAsLead({ 1: bits(1, 1), 2: bits(0, 1) })).status).toBe(200);
      const refused = await saveAsLead({ 1: bits(1, 1) });
      expect([refused.code, refused.body.error?.details]).toEqual([
        'not_allowed',
        expect.stringContaining('it lacks Read: Template.'),
      ]);
      expect((await saveAsLead({ 1: bits(1, 1), 2: bits(1, 1) })).code).toBe('not_allowed');
    });
  });
});

describe('unseen', () => {
  const roleOf = async (person: Person) =>
    responseOf<{ default_organizations: { role: string } }>(
      await person.visitor.get(`/api/init?org_id=${boss.orgId}`),
    ).default_organizations.role;

  describe('a deletion that says who holds the role', () => {
    test('moves them, to an admin role too', async () => {
      const clerk = await add('Clerk');
      const tom = await staff(app, boss.orgId, clerk);
      await join(app, await confirmed(app), boss.orgId, clerk, 1);
      const { members, holders } = await holdersOf(clerk);
      expect(members).toBe(2);
      const answer = await removeKnowing(clerk, await builtIn('Super Admin'), holders);
      expect(responseOf(answer)).toEqual({ moved: 2 });
      expect(await roleOf(tom)).toBe('Super Admin');
    });

    test('is refused once somebody has joined with it, so that nobody becomes Super Admin unseen (G13)', async () => {
      const clerk = await add('Clerk');
      const { members, holders } = await holdersOf(clerk);
      expect(members).toBe(0);
      const tom = await staff(app, boss.orgId, clerk);
      for (const name of ['Super Admin', 'Admin']) {
        const answer = await removeKnowing(clerk, await builtIn(name), holders);
        expect([answer.status, answer.code]).toEqual([409, 'changed_meanwhile']);
      }
      expect((await removeKnowing(clerk, await add('Sales'), holders)).code).toBe('changed_meanwhile');
      expect(await roleOf(tom)).toBe('Clerk');
    });

    test('is refused if the same number of other people hold it', async () => {
      const [clerk, sales] = [await add('Clerk'), await add('Sales')];
      const tom = await staff(app, boss.orgId, clerk);
      const ann = await staff(app, boss.orgId, sales);
      const { holders } = await holdersOf(clerk);
      for (const [person, role_id] of [
        [tom, sales],
        [ann, clerk],
      ] as const) {
        const edit = { org_id: boss.orgId, user_id: person.id, first_name: 'Tom', role_id };
        expect((await boss.visitor.put('/api/orgusers', edit)).status).toBe(200);
      }
      expect((await removeKnowing(clerk, await builtIn('Admin'), holders)).code).toBe('changed_meanwhile');
      expect(await roleOf(ann)).toBe('Clerk');
    });
  });

  describe('a deletion that does not say who holds the role', () => {
    test('moves people to a role without admin rights, but makes nobody an admin', async () => {
      const [clerk, office, sales] = [await add('Clerk'), await add('Office', 1), await add('Sales')];
      const tom = await staff(app, boss.orgId, clerk);
      for (const id of [await builtIn('Super Admin'), await builtIn('Admin'), office]) {
        const answer = await remove(clerk, id);
        expect([answer.status, answer.body.error?.fields]).toEqual([
          422,
          { holders: serverFieldText.holders },
        ]);
      }
      expect(await roleOf(tom)).toBe('Clerk');
      expect(responseOf(await remove(clerk, sales))).toEqual({ moved: 1 });
      expect(await roleOf(tom)).toBe('Sales');
    });
  });

  describe('a table of rights sent with the former rights', () => {
    const rightsOf = async (role: number) =>
      responseOf<{ role_permission: object }>(await read(`&role_id=${role}&isPermission=1`)).role_permission;

    test('is refused if another admin has changed the rights since (G13)', async () => {
      const clerk = await add('Clerk');
      responseOf(await save({ role_id: clerk, permission: table({ 1: bits(0, 1) }) }));
      const was_permission = await rightsOf(clerk);
      responseOf(await save({ role_id: clerk, permission: table() }));
      const answer = await save({
        role_id: clerk,
        permission: table({ 1: bits(0, 1), 2: bits(0, 1) }),
        was_permission,
      });
      expect([answer.status, answer.code]).toEqual([409, 'changed_meanwhile']);
      expect(await rightsOf(clerk)).toEqual(table());
    });
  });
});
