import { sql } from 'kysely';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { findFacts, hasAddressOf, listMemberships } from '#server/access/data.ts';
import { closingCompanies, isAccountProven } from '#server/access/rules.ts';
import type { Db } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';

type EntryRow = {
  readonly connectionId: ConnectionId;
  readonly subject: string;
  readonly orgId: OrgId;
  readonly organization: string;
};
/**
 * The company that may prove the account of a session again: the session entered through its provider, and the person has
 * one of its addresses and no other organization.
 */
export async function findProvingCompany(database: Db, sessionId: SessionId) {
  const { rows } = await sql<EntryRow>`
    select connection_id as "connectionId", subject, organizations.id as "orgId", organizations.name as organization
    from sessions join company_entries on company_entries.session_id = sessions.id
    join company_connections on company_connections.id = connection_id and company_connections.is_on
    join organizations on organizations.id = company_connections.org_id
    where sessions.id = ${sessionId} and ${hasAddressOf(sql.ref<UserId>('sessions.user_id'))}`.execute(
    database,
  );
  if (rows.length === 0) return undefined;
  const facts = await findFacts(database, sessionId);
  if (!isAccountProven(facts)) return undefined;
  return rows.find(({ orgId }) => facts.memberships.every((one) => one.orgId === orgId));
}

/** The company that closes the own ways into an account and decides its address. */
export const findClosingCompany = async (database: Db, userId: UserId, now: Date) =>
  closingCompanies(await listMemberships(database, userId), now)[0];

/** The organization whose provider has just named the person in this browser: only their own proof links the two. */
export async function findLinking(database: Db, userId: UserId, now: Date, browser: string | undefined) {
  if (browser === undefined) return null;
  const { rows } = await sql<{ readonly orgId: OrgId }>`
    select org_id as "orgId" from company_links join company_connections on company_connections.id = connection_id
    where company_links.user_id = ${userId} and browser_hash = ${sha256(browser)}
      and company_links.expires_at > ${now}
    order by company_links.expires_at desc limit 1`.execute(database);
  return rows[0]?.orgId ?? null;
}
