import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { everyRight } from '#contract/roles/permissions.ts';
import { confirmed, newEmail, type Person } from '#server/testing/people.ts';
import { roleCalls } from '#server/testing/role-calls.ts';
import { organizationOf, staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// A lead sees which roles and rights they may give, and which rights they lack for the others.

const app = useApp({ MAX_ORGS_PER_USER: '1000' });
let maya: Person;
let boss: Awaited<ReturnType<typeof organizationOf>>;
let lead: Person;
beforeAll(async () => {
  maya = await confirmed(app);
});
beforeEach(async () => {
  boss = await organizationOf(maya);
});

const { add, bits, builtIn, read, remove, save, table } = roleCalls(() => ({ app, boss }));
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
