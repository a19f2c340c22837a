import { beforeAll, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { areaFieldText } from '#contract/text/area-fields.ts';
import { fieldText } from '#contract/text/fields.ts';
import { serverFieldText } from '#contract/text/server-fields.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { type Boss, colleague, customRole, founder, invited, rolesOf } from '#server/testing/people.ts';
import { startApp } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf } from '#server/testing/visitor.ts';

const app = useApp();
let boss: Boss;
let roles: Record<string, number>;
/** Two Super Admins, an admin and a plain member of one organization. */
let second: Boss;
let admin: Boss;
let plain: Boss & { roleId: number };
beforeAll(async () => {
  boss = await founder(app);
  await customRole(app, boss.orgId, 'Sales');
  roles = await rolesOf(boss);
  second = await colleague(app, boss, 'Super Admin');
  admin = await colleague(app, boss, 'Admin');
  plain = await colleague(app, boss, 'Sales');
});

type Target = { readonly id: number };
const roleNow = async ({ id }: Target, orgId = boss.orgId) =>
  (
    await app.deps.sql
      .selectFrom('memberships')
      .select('role_id')
      .where('user_id', '=', id as UserId)
      .where('org_id', '=', orgId as OrgId)
      .executeTakeFirst()
  )?.role_id;
/** An edit that changes only the given fields. */
const edit = async (target: Target, more: object = {}, by: Boss = boss) =>
  by.visitor.put('/api/orgusers', {
    org_id: boss.orgId,
    user_id: target.id,
    first_name: 'Tom',
    role_id: await roleNow(target),
    ...more,
  });
const codeOf = async (call: () => Promise<Answer>) => (await untouched(app, call)).code;
const guard =
  'Organization must have at least one active super admin. Please make sure there is at least one super admin account with an active status';
const lastActivity = () =>
  app.deps.sql.selectFrom('activity').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
const lastMail = async ({ email }: { email: string }) => (await app.mails(email)).at(-1);
const sees = async (person: Boss) =>
  (await person.visitor.get(`/api/init?org_id=${boss.orgId}`)).code ?? 'all';

describe('PUT /orgusers', () => {
  test('changes names and designation only in this membership, not in the profile or other organizations (G7)', async () => {
    const person = await colleague(app, boss);
    const own = responseOf<{ Id: number }>(
      await person.visitor.post('/api/orgs', {
        first_name: 'Tom',
        last_name: 'Berg',
        country_name: 'Sweden',
      }),
    );
    const answer = await edit(person, { first_name: 'Thomas', designation: 'Clerk' });
    expect(responseOf(answer)).toMatchObject({
      user_id: person.id,
      first_name: 'Thomas',
      last_name: 'Berg',
      designation: 'Clerk',
      email: person.email,
      role: 'Admin',
      status: 2,
    });
    expect(await lastActivity()).toMatchObject({
      org_id: boss.orgId,
      user_id: boss.id,
      module: MODULE.organization,
      activity_type: ACTIVITY_TYPE.invitedContact,
      action: ACTION.update,
      record_id: person.id,
      information: { first_name: ['Tom', 'Thomas'], designation: ['', 'Clerk'] },
    });
    expect(responseOf(await person.visitor.get('/api/user'))).toMatchObject({ full_name: 'Tom Berg' });
    expect(responseOf(await person.visitor.get(`/api/init?org_id=${own.Id}`))).toMatchObject({
      organizations_users: [{ first_name: 'Tom', designation: '' }],
    });
    expect((await lastMail(person))?.subject).toContain('You are invited');
  });

  test('another role takes effect on the very next request, and the member gets a mail', async () => {
    const person = await colleague(app, boss, 'Sales');
    const list = () => person.visitor.get(`/api/orgusers?org_id=${boss.orgId}`);
    expect((await list()).code).toBe('not_allowed');
    responseOf(await edit(person, { role_id: roles['Admin'] }));
    expect((await list()).code).toBeUndefined();
    expect((await lastActivity())?.information).toEqual({ role: ['Sales', 'Admin'] });
    expect((await lastMail(person))?.subject).toBe('Your role in Northwind Traders has changed');
    expect((await lastMail(person))?.text).toContain('you have the role Admin');
    responseOf(await edit(person, { role_id: roles['Sales'] }));
    expect((await list()).code).toBe('not_allowed');
  });

  test.each([
    [3, 'Your access to Northwind Traders is paused'],
    [4, 'Your access to Northwind Traders was disabled'],
  ])('status %d closes the organization at once, and Active opens it again', async (status, subject) => {
    const person = await colleague(app, boss);
    responseOf(await edit(person, { status }));
    expect(await sees(person)).toBe('org_not_found');
    expect((await lastMail(person))?.subject).toBe(subject);
    expect((await lastActivity())?.information).toEqual({ status: [2, status] });
    expect(responseOf(await person.visitor.get('/api/orgs'))).toEqual([]);
    responseOf(await edit(person, { status: 2 }));
    expect(await sees(person)).toBe('all');
    app.clock.forward(10 * MINUTE_MS);
    expect((await lastMail(person))?.subject).toBe('You have access to Northwind Traders again');
  });

  test('an admin can pause, reactivate and disable a member, but cannot enable a disabled one', async () => {
    const person = await colleague(app, boss, 'Sales');
    for (const status of [3, 2, 4]) responseOf(await edit(person, { status }, admin));
    for (const status of [2, 3])
      expect(await codeOf(() => edit(person, { status }, admin))).toBe('not_allowed');
    responseOf(await edit(person, { designation: 'On leave' }, admin));
    responseOf(await edit(person, { status: 2 }));
  });

  test('an admin can change an invited person’s name and role, but not their status', async () => {
    const person = await invited(boss);
    for (const status of [2, 3, 4])
      expect(await codeOf(() => edit(person, { role_id: person.roleId, status }))).toBe('not_allowed');
    expect(responseOf(await edit(person, { first_name: 'Thomas', role_id: roles['Sales'] }))).toMatchObject({
      first_name: 'Thomas',
      role: 'Sales',
      status: 1,
    });
    expect(await app.mails(person.email)).toHaveLength(1);
  });

  test('an admin neither edits a Super Admin nor makes one (G4)', async () => {
    expect(await codeOf(() => edit(second, { designation: 'x' }, admin))).toBe('not_allowed');
    for (const more of [{ status: 3 }, { status: 4 }, { role_id: roles['Admin'] }])
      expect(await codeOf(() => edit(boss, more, admin))).toBe('not_allowed');
    expect(await codeOf(() => edit(plain, { role_id: roles['Super Admin'] }, admin))).toBe('not_allowed');
    responseOf(await edit(plain, { role_id: roles['Admin'] }, admin));
    responseOf(await edit(plain, { role_id: plain.roleId }, admin));
  });

  test('a lead gives no role that can do more than their own', async () => {
    await customRole(app, boss.orgId, 'Lead', true);
    const lead = await colleague(app, boss, 'Lead');
    const signer = await customRole(app, boss.orgId, 'Signer');
    expect(await codeOf(() => edit(plain, { role_id: roles['Admin'] }, lead))).toBe('not_allowed');
    responseOf(await edit(plain, { role_id: signer }, lead));
    responseOf(await edit(plain, { role_id: plain.roleId }, lead));
    await app.deps.sql
      .insertInto('role_rights')
      .values({
        org_id: boss.orgId as OrgId,
        role_id: signer as RoleId,
        service: 'sign',
        module: MODULE.organization,
        action: 'read',
      })
      .execute();
    expect(await codeOf(() => edit(plain, { role_id: signer }, lead))).toBe('not_allowed');
    responseOf(await edit(plain, { role_id: signer }, admin));
    responseOf(await edit(plain, { role_id: plain.roleId }, admin));
  });

  test('nobody can change their own role or status, but everybody can change their own names', async () => {
    for (const more of [
      { status: 3 },
      { status: 4 },
      { role_id: roles['Sales'] },
      { role_id: roles['Super Admin'] },
    ])
      expect(await codeOf(() => edit(admin, more, admin))).toBe('not_allowed');
    expect(await codeOf(() => edit(second, { role_id: roles['Admin'] }, second))).toBe('not_allowed');
    responseOf(await edit(admin, { designation: 'Office' }, admin));
  });

  test('the last active Super Admin cannot lose their role or access, and each attempt gets the same message (G9)', async () => {
    const alone = await founder(app, 'Alone');
    const ownRoles = await rolesOf(alone);
    const other = await colleague(app, alone, 'Super Admin');
    const act = (target: Target, more: object) =>
      alone.visitor.put('/api/orgusers', {
        org_id: alone.orgId,
        user_id: target.id,
        first_name: 'Maya',
        role_id: ownRoles['Super Admin'],
        ...more,
      });
    const ways = [
      { status: 3 },
      { status: 4 },
      { role_id: ownRoles['Admin'] },
      { role_id: ownRoles['Admin'], status: 4 },
    ];
    for (const way of ways) expect(await codeOf(() => act(alone, way))).toBe('not_allowed');
    for (const status of [3, 4]) {
      responseOf(await act(other, { status }));
      for (const way of ways) {
        const answer = await untouched(app, () => act(alone, way));
        expect([answer.status, answer.code, answer.body.error?.details]).toEqual([
          409,
          'last_super_admin',
          guard,
        ]);
      }
      responseOf(await act(other, { status: 2 }));
    }
    responseOf(await act(other, { role_id: ownRoles['Admin'] }));
    expect(await codeOf(() => act(alone, { role_id: ownRoles['Admin'] }))).toBe('last_super_admin');
  });

  test('an edit that changes nothing is refused', async () => {
    const person = await colleague(app, boss);
    for (const more of [{}, { status: 2 }, { last_name: 'Berg', designation: '' }]) {
      const answer = await untouched(app, () => edit(person, more));
      expect([answer.status, answer.code, answer.body.error?.details]).toEqual([
        409,
        'no_changes',
        'No changes',
      ]);
    }
  });

  test.each([
    [{ first_name: '' }, { first_name: fieldText.required }],
    [{ last_name: '<' }, { last_name: areaFieldText.generalText }],
    [{ status: 1 }, ['status']],
    [{ status: 0 }, ['status']],
    [{ status: 5 }, ['status']],
    [{ status: '2' }, ['status']],
    [{ status: 2.5 }, ['status']],
    [{ email_id: 'x@y.example' }, { email_id: serverFieldText.unknownField }],
    [{ email: 'x@y.example' }, { email: serverFieldText.unknownField }],
    [{ is_default: 1 }, { is_default: serverFieldText.unknownField }],
  ])('refuses %o', async (more, fields) => {
    const answer = await untouched(app, () => edit(plain, more));
    expect(answer.code).toBe('invalid_input');
    const wrongFields = answer.body.error?.fields ?? {};
    expect(Array.isArray(fields) ? Object.keys(wrongFields) : wrongFields).toEqual(fields);
  });

  test('a foreign member, role or organization is not found (G2)', async () => {
    const other = await founder(app, 'Other');
    const foreign = (await rolesOf(other))['Admin'];
    expect(await codeOf(() => edit(other, { role_id: roles['Admin'] }))).toBe('user_not_found');
    expect(await codeOf(() => edit({ id: 999_999 }, { role_id: roles['Admin'] }))).toBe('user_not_found');
    expect(await codeOf(() => edit(plain, { role_id: foreign }))).toBe('role_not_found');
    expect(await codeOf(() => edit(plain, {}, other))).toBe('org_not_found');
    expect(await codeOf(() => edit(plain, { org_id: 999_999 }))).toBe('org_not_found');
    for (const org_id of ['1', 'c1', 1.5, -1, 0, 2 ** 60])
      expect(await codeOf(() => edit(plain, { org_id }))).toBe('org_id_invalid');
  });

  test('a member who returns from a pause needs a seat, and a disabled member keeps theirs', async () => {
    const small = await startApp({ MAX_MEMBERS_PER_ORG: '2' });
    const owner = await founder(small);
    const first = await colleague(small, owner);
    const become = (status: number) =>
      owner.visitor.put('/api/orgusers', {
        org_id: owner.orgId,
        user_id: first.id,
        first_name: 'Tom',
        role_id: first.roleId,
        status,
      });
    responseOf(await become(4));
    responseOf(await become(3));
    await invited(owner);
    for (const status of [2, 4]) {
      const answer = await become(status);
      expect([answer.status, answer.code]).toEqual([409, 'sign_max_users_reached']);
    }
    await small.close();
  });
});
