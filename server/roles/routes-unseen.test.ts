import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serverFieldText } from '#contract/text/server-fields.ts';
import { confirmed, type Person } from '#server/testing/people.ts';
import { roleCalls } from '#server/testing/role-calls.ts';
import { join, organizationOf, staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Deleting a role moves people only if the caller saw them as its holders.

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

  test('succeeds if all of them have another role by now, because it moves nobody', async () => {
    const [clerk, sales] = [await add('Clerk'), await add('Sales')];
    const tom = await staff(app, boss.orgId, clerk);
    const { holders } = await holdersOf(clerk);
    const edit = { org_id: boss.orgId, user_id: tom.id, first_name: 'Tom', role_id: sales };
    expect((await boss.visitor.put('/api/orgusers', edit)).status).toBe(200);
    expect(responseOf(await removeKnowing(clerk, await builtIn('Admin'), holders))).toEqual({ moved: 0 });
  });
});

describe('a deletion that does not say who holds the role', () => {
  test('moves people to a role without admin rights, but makes nobody an admin', async () => {
    const [clerk, office, sales] = [await add('Clerk'), await add('Office', 1), await add('Sales')];
    const tom = await staff(app, boss.orgId, clerk);
    for (const id of [await builtIn('Super Admin'), await builtIn('Admin'), office]) {
      const answer = await remove(clerk, id);
      expect([answer.status, answer.body.error?.fields]).toEqual([422, { holders: serverFieldText.holders }]);
    }
    expect(await roleOf(tom)).toBe('Clerk');
    expect(responseOf(await remove(clerk, sales))).toEqual({ moved: 1 });
    expect(await roleOf(tom)).toBe('Sales');
  });

  test('may name an admin role if nobody is moved', async () => {
    expect(responseOf(await remove(await add('Clerk'), await builtIn('Admin')))).toEqual({ moved: 0 });
    expect((await listed()).map(({ name }) => name)).toEqual(['Super Admin', 'Admin']);
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
