import type { LinkKind } from '#server/access/company/rules.ts';
import { type Insertable, sql as raw } from 'kysely';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, OrgId, SessionId, UserId } from '#contract/wire.ts';
import { hasDirectory } from '#server/company-sign-in/data.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Tables } from '#server/db/tables.ts';
import { sha256 } from '#server/keys.ts';

export const insertVisit = (tx: Tx, visit: Tables['company_visits']) =>
  tx.insertInto('company_visits').values(visit).execute();

type Key = { readonly state: string; readonly browser: string; readonly connectionId: ConnectionId };
/** Deletes the visit of a return, so that it serves once. State, browser and connection must match. */
export const takeVisit = (tx: Tx, { state, browser, connectionId }: Key, now: Date) =>
  tx
    .deleteFrom('company_visits')
    .where('state_hash', '=', sha256(state))
    .where('browser_hash', '=', sha256(browser))
    .where('connection_id', '=', connectionId)
    .where('expires_at', '>', now)
    .returning(['purpose', 'session_id as sessionId', 'next', 'expires_at as end'])
    .returning(['issuer', 'client_id as clientId', 'failed', 'problem'])
    .executeTakeFirst();

/** The person of a subject, and the kind of the link; one that a guest made does not vouch for an address of the company. */
export async function findIdentity(sql: Db, connectionId: ConnectionId, subject: string) {
  const row = await sql
    .selectFrom('company_identities')
    .select(['user_id as userId', 'is_guest'])
    .where('connection_id', '=', connectionId)
    .where('subject', '=', subject)
    .executeTakeFirst();
  const link: LinkKind = row?.is_guest ? 'guest' : 'own';
  return row && { userId: row.userId, link };
}

type Unnamed = { readonly userId: UserId; readonly orgId: OrgId; readonly email: string | null };
type Names = { readonly firstName: string; readonly lastName: string };
/** Gives a person and member the provider's names in place of none, or of their address. */
export async function nameUnnamed(tx: Tx, { userId, orgId, email }: Unnamed, { firstName, lastName }: Names) {
  if (firstName === '' && lastName === '') return;
  const names = { first_name: firstName, last_name: lastName };
  const noNames = ['', email ?? '', (email ?? '').split('@', 1)[0] ?? ''];
  await tx
    .updateTable('users')
    .set(names)
    .where('id', '=', userId)
    .where('last_name', '=', '')
    .where('first_name', 'in', noNames)
    .execute();
  await tx
    .updateTable('memberships')
    .set(names)
    .where('user_id', '=', userId)
    .where('org_id', '=', orgId)
    .where('last_name', '=', '')
    .where('first_name', 'in', noNames)
    .execute();
}

/** False if the subject is linked already. */
export async function insertIdentity(
  tx: Tx,
  identity: Insertable<Tables['company_identities']>,
): Promise<boolean> {
  const row = await tx
    .insertInto('company_identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The URL name of the connection's organization, if the session came in through it. */
export const findEntered = async (sql: Db, sessionId: SessionId, connectionId: ConnectionId) => {
  const row = await sql
    .selectFrom('company_entries')
    .innerJoin('company_connections', 'company_connections.id', 'company_entries.connection_id')
    .innerJoin('organizations', 'organizations.id', 'company_connections.org_id')
    .select('organizations.url_name as urlName')
    .where('session_id', '=', sessionId)
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return row?.urlName;
};

type Entered = { readonly orgId: OrgId; readonly hasStep: boolean };
/** Notes that a session came in through a provider. */
export async function insertEntry(tx: Tx, row: Tables['company_entries'], { orgId, hasStep }: Entered) {
  await tx
    .insertInto('company_entries')
    .values(row)
    .onConflict((conflict) => conflict.columns(['session_id', 'connection_id']).doUpdateSet(row))
    .execute();
  await raw`update sessions
    set entered = array_append(array_remove(entered, ${orgId}::bigint), ${orgId}::bigint),
      entered_with_step = case when ${hasStep}
        then array_append(array_remove(entered_with_step, ${orgId}::bigint), ${orgId}::bigint)
        else array_remove(entered_with_step, ${orgId}::bigint) end
    where id = ${row.session_id}`.execute(tx);
}

/** Whether the person belongs to another organization, or is invited to one. */
export async function hasOtherOrganization(sql: Db, userId: UserId, orgId: OrgId): Promise<boolean> {
  const row = await sql
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', userId)
    .where('org_id', '<>', orgId)
    .where('status', '<>', MEMBER_STATUS.disabled)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type Sought = { readonly email?: string | null; readonly memberId?: MemberId | undefined };
/** Whether a directory adds the organization's people, and whether the newest one has deactivated this person. */
export async function findDirectory(sql: Db, orgId: OrgId, { email, memberId }: Sought = {}) {
  const { rows } = await raw<{ isConnected: boolean; hasDeactivated: boolean }>`select
    ${hasDirectory(raw`${orgId}::bigint`)} as "isConnected",
    exists (select from scim_users
      where org_id = ${orgId} and (email_key = ${email ?? ''} or member_id = ${memberId ?? null}::bigint)
        and not is_active) as "hasDeactivated"`.execute(sql);
  return { isConnected: rows[0]?.isConnected, hasDeactivated: rows[0]?.hasDeactivated };
}

export const insertLink = (tx: Tx, link: Tables['company_links']) =>
  tx.insertInto('company_links').values(link).execute();

/** The visit that brought an identity, and the `portico-company` cookie of its browser. */
export type Waiting = { readonly visit: string; readonly browser: string };
/** A link that waits in this browser, unless the connection was switched off meanwhile. */
export const findLink = (sql: Db, { visit, browser }: Waiting, now: Date) =>
  sql
    .selectFrom('company_links')
    .innerJoin('company_connections', 'company_connections.id', 'company_links.connection_id')
    .innerJoin('organizations', 'organizations.id', 'company_connections.org_id')
    .innerJoin('users', 'users.id', 'company_links.user_id')
    .select(['company_links.connection_id as connectionId', 'company_connections.issuer'])
    .select('company_links.subject')
    .select(['company_links.user_id as userId', 'company_links.sid', 'company_links.has_step as hasStep'])
    .select(['company_links.id_token as idToken', 'company_links.email as saidEmail'])
    .select('company_links.failed')
    .select(['company_links.next', 'organizations.id as orgId', 'organizations.name as organization'])
    .select(['organizations.url_name as urlName', 'users.email', 'company_connections.role_id as roleId'])
    .where('visit_hash', '=', sha256(visit))
    .where('browser_hash', '=', sha256(browser))
    .where('company_links.expires_at', '>', now)
    .where('company_connections.is_on', '=', true)
    .executeTakeFirst();

type Linked = { readonly connectionId: ConnectionId; readonly userId: UserId };
/** Ends the links of a person with a company that wait in this browser. */
export const deleteLinks = (tx: Tx, browser: string, { connectionId, userId }: Linked) =>
  tx
    .deleteFrom('company_links')
    .where('browser_hash', '=', sha256(browser))
    .where('connection_id', '=', connectionId)
    .where('user_id', '=', userId)
    .execute();

const ATTEMPTS_KEPT = 20;
/**
 * Keeps the newest 20 of each outcome, so that attempts that anybody can make push no others out. The connection may be
 * gone since the visit began.
 */
export async function insertAttempt(tx: Tx, attempt: Insertable<Tables['company_attempts']>) {
  const connections = tx.selectFrom('company_connections').select('id').forKeyShare();
  if (!(await connections.where('id', '=', attempt.connection_id).executeTakeFirst())) return;
  await tx.insertInto('company_attempts').values(attempt).execute();
  const beyond = tx
    .selectFrom('company_attempts')
    .select('id')
    .where('connection_id', '=', attempt.connection_id)
    .where('outcome', '=', attempt.outcome)
    .where('is_said_in_address', '=', attempt.is_said_in_address ?? false)
    .orderBy('id', 'desc')
    .offset(ATTEMPTS_KEPT);
  await tx.deleteFrom('company_attempts').where('id', 'in', beyond).execute();
}

export const listAttempts = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('company_attempts')
    .innerJoin('company_connections', 'company_connections.id', 'company_attempts.connection_id')
    .select(['reference', 'company_attempts.created_at as time', 'is_test as isTest', 'email', 'outcome'])
    .select(['problem', 'is_said_in_address as isSaidInAddress', 'claims'])
    .where('company_connections.org_id', '=', orgId)
    .orderBy('company_attempts.id', 'desc')
    .execute();

const ATTEMPT_DAYS = 30;
export async function sweepVisits({ sql, clock }: Deps) {
  const now = clock.now();
  await sql.deleteFrom('company_visits').where('expires_at', '<=', now).execute();
  await sql.deleteFrom('company_links').where('expires_at', '<=', now).execute();
  const old = new Date(now.getTime() - ATTEMPT_DAYS * 24 * 60 * 60 * 1000);
  await sql.deleteFrom('company_attempts').where('created_at', '<=', old).execute();
}
