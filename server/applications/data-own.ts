import { sql } from 'kysely';
import type { ApplicationId } from '#contract/applications/registration.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { ICON_PATH } from './rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { wakeAfterCommit } from '#server/waking.ts';

const selectOwn = (database: Db, orgId: OrgId | null) =>
  database
    .selectFrom('applications')
    .select(['id', 'client_id as clientId', 'name', 'description', 'kind'])
    .select((row) => [
      sql<string | null>`(select ${sql.lit(ICON_PATH)} || file_id
        from application_icons where application_id = applications.id)`.as('icon'),
      row.fn.coalesce('start_url', sql.lit('')).as('startUrl'),
      row.fn.coalesce('sign_out_url', sql.lit('')).as('signOutUrl'),
      'redirect_urls as redirectUrls',
      'signed_out_urls as signedOutUrls',
      'is_for_everyone as isForEveryone',
      sql<boolean>`paused_at is not null`.as('isPaused'),
      'created_at as createdTime',
    ])
    .select([
      // As JSON, because the driver reads the numbers of an array as text.
      sql<RoleId[]>`(select coalesce(json_agg(role_id order by role_id), '[]')
        from application_roles where application_id = applications.id)`.as('roleIds'),
      sql<string>`(select coalesce(string_agg(roles.name, ', ' order by roles.name), '')
        from application_roles join roles on roles.id = role_id where application_id = applications.id)`.as(
        'roles',
      ),
      sql<boolean>`exists (select from application_secrets where application_id = applications.id)`.as(
        'hasSecret',
      ),
      sql<Date | null>`(select max(ends_at) from application_secrets where application_id = applications.id)`.as(
        'formerSecretEnds',
      ),
      // Grants note each use already, so no sign-in has to write to the row of its application.
      sql<Date | null>`(select max(last_used_at) from application_grants where application_id = applications.id)`.as(
        'lastUsedTime',
      ),
    ])
    .where('org_id', 'is not distinct from', orgId);

export const listOwn = (database: Db, orgId: OrgId) =>
  selectOwn(database, orgId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
export type Own = Awaited<ReturnType<typeof listOwn>>[number];

export const findOwn = (database: Db, orgId: OrgId | null, id: ApplicationId) =>
  selectOwn(database, orgId).where('id', '=', id).executeTakeFirst();

type Access = { readonly orgId: OrgId; readonly isForEveryone: boolean; readonly roleIds: readonly RoleId[] };
/** Replaces the roles; false if one is not of the organization. Everyone needs no role. */
export async function replaceRoles(tx: Tx, id: ApplicationId, { orgId, isForEveryone, roleIds }: Access) {
  await tx.deleteFrom('application_roles').where('application_id', '=', id).execute();
  if (isForEveryone) return true;
  const { rows } = await sql`
    insert into application_roles (application_id, role_id)
    select ${id}::bigint, id from roles where org_id = ${orgId} and id = any (${[...roleIds]}::bigint[])
    returning role_id`.execute(tx);
  return rows.length === new Set(roleIds).size;
}

/** Ends the access of people whose role may no longer enter, and notifies the application. */
export async function endRefusedAccess(tx: Tx, id: ApplicationId): Promise<void> {
  const isRefused = (table: 'application_grants' | 'application_sign_ins') => sql`
    applications.id = ${id} and application_id = applications.id and not applications.is_for_everyone
      and not exists (select from memberships
        join application_roles on application_roles.role_id = memberships.role_id
        where application_roles.application_id = applications.id
          and memberships.user_id = ${sql.ref(`${table}.user_id`)} and memberships.org_id = ${sql.ref(`${table}.org_id`)})`;
  await sql`delete from application_grants using applications where ${isRefused('application_grants')}`.execute(
    tx,
  );
  await sql`
    with ended as (
      delete from application_sign_ins using applications where ${isRefused('application_sign_ins')}
      returning sign_out_url, sid, subject
    )
    insert into jobs (kind, payload, lane, created_at, run_at)
    select 'sign-out', jsonb_build_object('application', ${id}::bigint, 'sid', sid, 'subject', subject),
      'sign-out ' || ${id}::bigint, now(), to_timestamp(0)
    from ended where sign_out_url is not null`.execute(tx);
  wakeAfterCommit(tx);
}
