import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { RoleId, UserId } from '#contract/wire.ts';
import { transaction } from '#server/db/connect.ts';
import { tellReplaced } from './jobs.ts';
import { company } from '#server/testing/company.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test('each of thousands of members gets one mail about their replaced role', async () => {
  const { rows } = await sql<{ id: UserId }>`
    insert into users (email, created_at)
    select case when one % 100 <> 0 then 'm' || one || '@northwind.example' end, ${app.clock.now()}
    from generate_series(1, 450) one returning id`.execute(app.deps.sql);
  const userIds = rows.map(({ id }) => id);
  const { orgId, roles } = await company(app);
  await sql`
    insert into memberships (org_id, user_id, role_id, status, first_name, created_at)
    select ${orgId}, unnest(${userIds}::bigint[]), ${roles.sales}, 2, 'Ann', ${app.clock.now()}`.execute(
    app.deps.sql,
  );
  const payload = { orgId, roleId: roles.sales, userIds };
  await transaction(app.deps.sql, (tx) => tellReplaced(tx, app.deps, payload));
  const mails = await app.mails();
  expect(new Set(mails.map(({ to }) => to.address)).size).toBe(446);
  expect(mails).toHaveLength(446);
  expect(mails[0]).toMatchObject({ subject: 'Your role in Northwind has changed' });
});

test('a person who was removed or erased meanwhile gets no mail, and the others still do', async () => {
  const org = await company(app);
  const stays = await org.join('sales');
  const elsewhere = await (await company(app)).join('sales');
  const erasedId = 999_999 as UserId;
  const userIds = [erasedId, elsewhere.id, stays.id];
  const payload = { orgId: org.orgId, roleId: org.roles.sales, userIds };
  await transaction(app.deps.sql, (tx) => tellReplaced(tx, app.deps, payload));
  expect((await app.mails(stays.email)).map(({ subject }) => subject)).toEqual([
    'Your role in Northwind has changed',
  ]);
  expect(await app.mails(elsewhere.email)).toEqual([]);
  expect(await listRows(app, 'notifications', ['user_id'], { org_id: org.orgId })).toEqual([
    { user_id: stays.id },
  ]);
});

test('a member whose role has changed again meanwhile gets no mail about the former one', async () => {
  const org = await company(app);
  const { orgId, roles } = org;
  const [stays, moved] = [await org.join('sales'), await org.join('sales')];
  const memberships = app.deps.sql.updateTable('memberships').set({ role_id: roles.lead });
  await memberships.where('org_id', '=', orgId).where('user_id', '=', moved.id).execute();
  const payload = { orgId, roleId: roles.sales, userIds: [moved.id, stays.id] };
  await transaction(app.deps.sql, (tx) => tellReplaced(tx, app.deps, payload));
  expect(await app.mails(stays.email)).toHaveLength(1);
  expect(await app.mails(moved.email)).toEqual([]);
});

test('the mail has the current names of role and organization, and a deleted role sends none', async () => {
  const org = await company(app);
  const { id, email } = await org.join('sales');
  const payload = { orgId: org.orgId, roleId: org.roles.sales, userIds: [id] };
  const { sql: database } = app.deps;
  await database.updateTable('roles').set({ name: 'Vendors' }).where('id', '=', payload.roleId).execute();
  const organization = database.updateTable('organizations').set({ name: 'Southwind' });
  await organization.where('id', '=', org.orgId).execute();
  await transaction(app.deps.sql, (tx) => tellReplaced(tx, app.deps, payload));
  const [mail, ...more] = await app.mails(email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Your role in Southwind has changed');
  expect(mail?.text).toContain('Vendors');

  const deleted = { ...payload, roleId: 999_999 as RoleId };
  await transaction(app.deps.sql, (tx) => tellReplaced(tx, app.deps, deleted));
  expect(await app.mails(email)).toHaveLength(1);
});
