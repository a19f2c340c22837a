import { beforeAll, describe, expect, test } from 'vitest';
import { refusalText } from '#words/refusal.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
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
  ])(
    'status %d closes the organization at the very next request, and Active opens it again (G12)',
    async (status, subject) => {
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
    },
  );

  test('an admin can change an invited person’s name and role, but not their status', async () => {
    const person = await invited(boss);
    expect(await codeOf(() => edit(person, { role_id: person.roleId, status: 2 }))).toBe('not_allowed');
    expect(responseOf(await edit(person, { first_name: 'Thomas', role_id: roles['Sales'] }))).toMatchObject({
      first_name: 'Thomas',
      role: 'Sales',
      status: 1,
    });
    expect(await app.mails(person.email)).toHaveLength(1);
  });

  test('an admin neither edits a Super Admin nor makes one (G4)', async () => {
    expect(await codeOf(() => edit(second, { designation: 'x' }, admin))).toBe('not_allowed');
    expect(await codeOf(() => edit(boss, { status: 3 }, admin))).toBe('not_allowed');
    expect(await codeOf(() => edit(admin, { role_id: roles['Sales'] }, admin))).toBe('not_allowed');
    expect(await codeOf(() => edit(plain, { role_id: roles['Super Admin'] }, admin))).toBe('not_allowed');
    responseOf(await edit(plain, { role_id: roles['Admin'] }, admin));
    responseOf(await edit(plain, { role_id: plain.roleId }, admin));
  });

  test('the last active Super Admin cannot lose their role or access, and the refusal says why (G9)', async () => {
    const alone = await founder(app, 'Alone');
    await colleague(app, alone);
    const superAdmin = (await rolesOf(alone))['Super Admin'];
    const other = await colleague(app, alone, 'Super Admin');
    const act = ({ id }: Target, status: number) =>
      alone.visitor.put('/api/orgusers', {
        org_id: alone.orgId,
        user_id: id,
        first_name: 'Maya',
        role_id: superAdmin,
        status,
      });
    expect(await codeOf(() => act(alone, 3))).toBe('not_allowed');
    responseOf(await act(other, 3));
    const answer = await untouched(app, () => act(alone, 4));
    expect([answer.code, answer.body.error?.details]).toEqual(['last_super_admin', guard]);
  });

  test('an edit that changes nothing is refused', async () => {
    const person = await colleague(app, boss);
    const answer = await untouched(app, () => edit(person, { status: 2, last_name: 'Berg' }));
    expect([answer.status, answer.code]).toEqual([409, 'no_changes']);
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

describe('DELETE /orgusers', () => {
  beforeAll(async () => {
    boss = await founder(app);
  });

  const remove = ({ id }: { readonly id: number }) =>
    boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: id });

  test('ends the membership at once but not the account; the log has the old values, and the person gets a mail', async () => {
    const person = await colleague(app, boss);
    expect(responseOf(await remove(person))).toEqual({});
    expect((await person.visitor.get(`/api/init?org_id=${boss.orgId}`)).code).toBe('org_not_found');
    expect(responseOf(await person.visitor.get('/api/ustat'))).toMatchObject({ id: person.id });
    expect(await lastActivity()).toMatchObject({
      user_id: boss.id,
      record_id: person.id,
      information: { email: [person.email, null], role: ['Admin', null], status: [2, null] },
    });
    expect((await app.mails(person.email)).at(-1)?.subject).toBe(
      'You are no longer a member of Northwind Traders',
    );
    expect(await codeOf(() => remove(person))).toBe('user_not_found');
  });

  test('never removes the caller or a member of another organization (G8)', async () => {
    expect(await codeOf(() => remove(boss))).toBe('not_allowed');
    const other = await founder(app, 'Other');
    expect(await codeOf(() => remove(other))).toBe('user_not_found');
  });
});

test('an Admin learns what only Super Admins may do', async () => {
  const boss = await founder(app);
  const { visitor } = await colleague(app, boss);
  const detailsOf = async (path: string) => {
    const { code, body } = await visitor.get(`${path}?org_id=${boss.orgId}`);
    return [code, body.error?.details];
  };
  for (const [path, details] of [
    ['/api/dataexport', refusalText.superAdminOfData],
    ['/api/orgs/secondstep', refusalText.superAdminOfSecondSteps],
    ['/api/webhooks', refusalText.superAdminOfWebhooks],
    ['/api/applications', refusalText.superAdminOfApplications],
  ] as const)
    expect([path, ...(await detailsOf(path))]).toEqual([path, 'super_admin_only', details]);
});
