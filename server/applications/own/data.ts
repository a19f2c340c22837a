import { sql } from 'kysely';
import type { ApplicationId, ApplicationKind } from '#contract/applications/registration.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { ICON_PATH } from '#server/applications/clients/rules.ts';
import type { OwnSettings } from '#server/applications/own/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { wakeAfterCommit } from '#server/waking.ts';

const selectOwn = (database: Db, orgId: OrgId) =>
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
    .where('org_id', '=', orgId);

/** The organization's own applications by name. */
export const listOwn = (database: Db, orgId: OrgId) =>
  selectOwn(database, orgId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
export type Own = Awaited<ReturnType<typeof listOwn>>[number];

export const findOwn = (database: Db, orgId: OrgId, id: ApplicationId) =>
  selectOwn(database, orgId).where('id', '=', id).executeTakeFirst();

export async function countOwn(tx: Tx, orgId: OrgId): Promise<number> {
  const { count } = await tx
    .selectFrom('applications')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  return count;
}

const columnsOf = (settings: OwnSettings) => ({
  name: settings.name,
  description: settings.description,
  start_url: settings.startUrl || null,
  redirect_urls: [...settings.redirectUrls],
  signed_out_urls: [...settings.signedOutUrls],
  sign_out_url: settings.signOutUrl || null,
  is_for_everyone: settings.isForEveryone,
});

type NewOwn = OwnSettings & {
  readonly orgId: OrgId;
  readonly clientId: string;
  readonly kind: ApplicationKind;
  readonly createdBy: UserId;
  readonly createdAt: Date;
};
export async function insertOwn(
  tx: Tx,
  { orgId, clientId, kind, createdBy, createdAt, ...settings }: NewOwn,
) {
  const { id } = await tx
    .insertInto('applications')
    .values({
      ...columnsOf(settings),
      org_id: orgId,
      client_id: clientId,
      kind,
      created_by: createdBy,
      created_at: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateOwn = (tx: Tx, id: ApplicationId, settings: OwnSettings) =>
  tx.updateTable('applications').set(columnsOf(settings)).where('id', '=', id).execute();

export async function replaceRoles(tx: Tx, id: ApplicationId, roleIds: readonly RoleId[]) {
  await tx.deleteFrom('application_roles').where('application_id', '=', id).execute();
  if (roleIds.length > 0)
    await tx
      .insertInto('application_roles')
      .values(roleIds.map((roleId) => ({ application_id: id, role_id: roleId })))
      .execute();
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

/** The names of those roles that the organization has. */
export async function listRoles(tx: Tx, orgId: OrgId, roleIds: readonly RoleId[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('roles')
    .select('name')
    .where('org_id', '=', orgId)
    .where('id', '=', sql<RoleId>`any (${[...roleIds]}::bigint[])`)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}
