import { sql as raw, type Updateable } from 'kysely';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import type { OrgId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Tables } from '#server/db/tables.ts';
import { wakeAfterCommit } from '#server/waking.ts';

const connections = (sql: Db) =>
  sql
    .selectFrom('company_connections')
    .innerJoin('organizations', 'organizations.id', 'company_connections.org_id')
    .select(['company_connections.id', 'company_connections.org_id as orgId', 'is_on as isOn'])
    .select(['issuer', 'client_id as clientId', 'tested_at as testedTime'])
    .select(['sealed_secret as sealedSecret', 'next_sealed_secret as nextSealedSecret'])
    .select(['secret_ends_at as secretEnds', 'told_days as toldDays', 'declares_step as declaresStep'])
    .select(['company_connections.role_id as roleId', 'company_connections.created_at as createdTime'])
    .select(['organizations.name as organization', 'organizations.url_name as urlName']);
export type Connection = Awaited<ReturnType<ReturnType<typeof connections>['executeTakeFirstOrThrow']>>;

export const listConnections = (sql: Db, orgId: OrgId) =>
  connections(sql).where('company_connections.org_id', '=', orgId).orderBy('is_on', 'desc').execute();

export const findConnection = (sql: Db, id: ConnectionId, orgId?: OrgId) =>
  connections(sql)
    .where('company_connections.id', '=', id)
    .$if(orgId !== undefined, (query) => query.where('company_connections.org_id', '=', orgId as OrgId))
    .executeTakeFirst();

/** The connection that signs in people with an address of this domain. */
export const findConnectionOfDomain = (sql: Db, domain: string) =>
  connections(sql)
    .innerJoin('company_domains', 'company_domains.org_id', 'company_connections.org_id')
    .where('company_domains.domain', '=', domain)
    .where('company_domains.proven_at', 'is not', null)
    .where('is_on', '=', true)
    .executeTakeFirst();

/** A signed-in member may always enter through it; for others it serves while a domain is proven. */
export const findConnectionAt = (sql: Db, urlName: string, isSignedIn: boolean) =>
  connections(sql)
    .where('organizations.url_name', '=', urlName)
    .where('is_on', '=', true)
    .where(
      raw<boolean>`(${isSignedIn} or exists (select from company_domains
        where company_domains.org_id = company_connections.org_id and proven_at is not null))`,
    )
    .executeTakeFirst();

export async function insertConnection(tx: Tx, orgId: OrgId, createdAt: Date) {
  const row = { org_id: orgId, created_at: createdAt };
  return (await tx.insertInto('company_connections').values(row).returning('id').executeTakeFirstOrThrow())
    .id;
}

export const updateConnection = (
  tx: Tx,
  id: ConnectionId,
  change: Updateable<Tables['company_connections']>,
) => tx.updateTable('company_connections').set(change).where('id', '=', id).execute();

/** Changes a connection unless somebody has saved other settings since it was read. */
export const updateUnchanged = (
  tx: Tx,
  { id, issuer, clientId, sealedSecret, nextSealedSecret }: Connection,
  change: Updateable<Tables['company_connections']>,
) =>
  tx
    .updateTable('company_connections')
    .set(change)
    .where('id', '=', id)
    .where('issuer', '=', issuer)
    .where('client_id', '=', clientId)
    .where('sealed_secret', 'is not distinct from', sealedSecret)
    .where('next_sealed_secret', 'is not distinct from', nextSealedSecret)
    .execute();

export async function countIdentities(sql: Db, id: ConnectionId): Promise<number> {
  const { count } = await sql
    .selectFrom('company_identities')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('connection_id', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

/** The people of a former connection keep their links if the same provider names them alike. */
export const moveIdentities = (tx: Tx, from: ConnectionId, { id, issuer }: Connection) =>
  tx
    .updateTable('company_identities')
    .set({ connection_id: id, issuer })
    .where('connection_id', '=', from)
    .execute();

/**
 * Ends what a connection has opened: links that wait, and entries. Sessions lose its organization and the step that it
 * vouched for; those that proved nothing else end.
 */
export async function endEntries(tx: Tx, { id, orgId }: Pick<Connection, 'id' | 'orgId'>) {
  wakeAfterCommit(tx);
  const opened = raw`select session_id from company_entries where connection_id = ${id}`;
  await raw`delete from sessions
    where proven <> 'account' and entered = array[${orgId}::bigint] and id in (${opened})`.execute(tx);
  await raw`update sessions set entered = array_remove(entered, ${orgId}::bigint),
      entered_with_step = array_remove(entered_with_step, ${orgId}::bigint),
      second_step = nullif(second_step, 'provider')
    where id in (${opened})`.execute(tx);
  for (const table of ['company_entries', 'company_links'] as const)
    await tx.deleteFrom(table).where('connection_id', '=', id).execute();
}

/** The sessions that a connection let in give a second step again, and so do those of links that wait. */
export async function distrustSteps(tx: Tx, { id, orgId }: Pick<Connection, 'id' | 'orgId'>) {
  await raw`update sessions set entered_with_step = array_remove(entered_with_step, ${orgId}::bigint)
    where id in (select session_id from company_entries where connection_id = ${id})`.execute(tx);
  await tx.updateTable('company_links').set({ has_step: false }).where('connection_id', '=', id).execute();
}

export const deleteConnection = (tx: Tx, id: ConnectionId) =>
  tx.deleteFrom('company_connections').where('id', '=', id).execute();

export const listEndingSecrets = (sql: Db, before: Date) =>
  connections(sql).where('is_on', '=', true).where('secret_ends_at', '<=', before).execute();
