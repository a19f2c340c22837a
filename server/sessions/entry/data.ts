import { type RawBuilder, sql } from 'kysely';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { type NoEntry, type Proven, STRONG_STEPS } from '#contract/organizations/second-step-rule.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { isRecentProof } from '#server/sessions/entry/rules.ts';
import { sha256 } from '#server/keys.ts';

// Whether a person may be here now: in the portal, and in an organization. Every query that asks uses these conditions.

/** A row of `restrictions` is in force. */
export const holdsAt = (now: Date | RawBuilder<Date>) =>
  sql<boolean>`(restrictions.ends_at > ${now} and restrictions.lifted_at is null)`;

/** No deletion is scheduled, no operator restricts it. Wrong codes block only new sign-ins: strangers sign nobody out. */
export const mayAct = (userId: RawBuilder<UserId>, now: Date | RawBuilder<Date>) => sql<boolean>`(
  not exists (select from account_deletions where account_deletions.user_id = ${userId})
  and not exists (select from restrictions where restrictions.user_id = ${userId}
    and restrictions.cause = 'operator' and ${holdsAt(now)}))`;

/** Sessions last used before `idle` or opened before `oldest` have ended. */
export type Limits = { readonly idle: Date; readonly oldest: Date };
export const limitsNow = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Limits => ({
  idle: fromNow(clock, -config.sessionIdleHours * HOUR_MS),
  oldest: fromNow(clock, -config.sessionAbsoluteHours * HOUR_MS),
});
export const isOpen = ({ idle, oldest }: Limits) =>
  sql<boolean>`(sessions.last_seen_at > ${idle} and sessions.created_at > ${oldest})`;

/** The person has an address of a proven domain of a row of `organizations`. */
export const hasAddressOf = (userId: RawBuilder<UserId>) => sql<boolean>`exists (select from users as holder
  join company_domains on company_domains.domain = split_part(holder.email, '@', 2)
  where holder.id = ${userId} and company_domains.org_id = organizations.id
    and company_domains.proven_at is not null)`;

/** The person has an identity at the provider of a row of `organizations`. */
export const isLinked = (userId: RawBuilder<UserId>) => sql<boolean>`exists (select from company_identities
  join company_connections on company_connections.id = company_identities.connection_id
  where company_identities.user_id = ${userId} and company_connections.org_id = organizations.id)`;

/** A linked identity, or such an address: the person belongs to the company of a row of `organizations`. */
const isOfCompany = (userId: RawBuilder<UserId>) =>
  sql<boolean>`(${isLinked(userId)} or ${hasAddressOf(userId)})`;

/** From when the person must come through the provider of a row of `organizations`; null if they need not. */
export const companyFrom = (userId: RawBuilder<UserId>) => sql<Date | null>`(
  case organizations.company_rule when 'nobody' then null when 'everybody' then organizations.company_rule_from
    else (case when ${isOfCompany(userId)} then organizations.company_rule_from end) end)`;

const strongSteps = sql.join(STRONG_STEPS.map((step) => sql.lit(step)));
/** A Super Admin keeps their own way in, with a strong step, for the day when the provider is broken. */
const breaksGlass = sql<boolean>`(coalesce(sessions.second_step in (${strongSteps}), false) and exists (select from memberships own
  join roles on roles.id = own.role_id
  where own.user_id = sessions.user_id and own.org_id = organizations.id and roles.kind = 'super-admin'))`;

const hasEntered = sql<boolean>`coalesce(organizations.id = any (sessions.entered), false)`;

/** Why a row of `sessions` may not enter a row of `organizations`: `whyNoEntry` in SQL. Without a session, a company's rule is never met. */
export const noEntry = (now: unknown) => sql<NoEntry | null>`(case
  when not ${hasEntered} and (sessions.id is null and coalesce(organizations.company_rule_from, 'infinity') <= ${now}
    or coalesce(${companyFrom(sql.ref<UserId>('sessions.user_id'))}, 'infinity') <= ${now} and not ${breaksGlass})
    then 'company_sign_in_required'
  when not ${hasEntered} and coalesce(sessions.proven, 'account') <> 'account' then 'account_proof_required'
  when not (organizations.second_step_from is null or organizations.second_step_from > ${now}
    or coalesce(organizations.id = any (sessions.entered_with_step), false)
    or (sessions.second_step is not null
      and (organizations.second_step_rule = 'any' or sessions.second_step in (${strongSteps}))))
    then 'second_step_required' end)`;
export const isRuleMet = (now: unknown) => sql<boolean>`(${noEntry(now)} is null)`;

/**
 * The account is proven, or a company vouches for it: while the person belongs nowhere else, and with a second step if
 * two-step sign-in is on.
 */
export const servesAccount = sql<boolean>`(sessions.proven = 'account' or (sessions.authenticated_at > 'epoch'
  and not exists (select from memberships where memberships.user_id = sessions.user_id
    and memberships.status <> ${sql.lit(MEMBER_STATUS.disabled)} and memberships.org_id is distinct from sessions.entered[1])
  and exists (select from memberships where memberships.user_id = sessions.user_id
    and memberships.status = ${sql.lit(MEMBER_STATUS.active)} and memberships.org_id = sessions.entered[1])
  and (sessions.second_step is not null
    or not exists (select from users holder where holder.id = sessions.user_id and holder.mfa_enabled))))`;

/** A session may enter an application as the person: any, or that of an organization whose company has vouched for them. */
export const servesApplication = (ownedBy: RawBuilder<OrgId | null>) =>
  sql<boolean>`(${servesAccount} or coalesce(${ownedBy} = any (sessions.entered), false))`;

export async function findServesAccount(database: Db, sessionId: SessionId): Promise<boolean> {
  const sessions = database.selectFrom('sessions').select(servesAccount.as('serves'));
  return (await sessions.where('id', '=', sessionId).executeTakeFirst())?.serves ?? false;
}

type Prover = { readonly sessionId: SessionId; readonly proven: Proven; readonly authenticatedAt: Date };
/** Whether the person's last proof is recent enough for sensitive calls. A company's word ends once they belong elsewhere. */
export const isRecentlyProven = async (
  database: Db,
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  { sessionId, proven, authenticatedAt }: Prover,
) =>
  isRecentProof(authenticatedAt, clock.now(), config.reauthWindowMinutes) &&
  (proven === 'account' || (await findServesAccount(database, sessionId)));

export const activeMemberships = sql`memberships join organizations on organizations.id = memberships.org_id
  and memberships.status = ${sql.lit(MEMBER_STATUS.active)}`;

export type Visit = { readonly sessionId: SessionId; readonly now: Date };
const organizationsOf = ({ sessionId }: Visit, isMet: RawBuilder<boolean>) => sql<OrgId>`
  (select memberships.org_id from sessions, ${activeMemberships}
    where sessions.id = ${sessionId} and memberships.user_id = sessions.user_id and ${isMet})`;

export const openOrganizations = (visit: Visit) => organizationsOf(visit, isRuleMet(visit.now));

/** Those of the person that the session may not enter, because it has not proven the second step. */
export const closedOrganizations = (visit: Visit) =>
  organizationsOf(visit, sql<boolean>`not ${isRuleMet(visit.now)}`);

export async function findNoEntry(
  database: Db,
  { sessionId, now }: { readonly sessionId: SessionId | null; readonly now: Date },
  orgId: OrgId,
): Promise<NoEntry | null> {
  const { reason } = await database
    .selectFrom('organizations')
    .leftJoin('sessions', (join) => join.on('sessions.id', '=', sessionId))
    .select(noEntry(now).as('reason'))
    .where('organizations.id', '=', orgId)
    .executeTakeFirstOrThrow();
  return reason;
}

/** Memberships whose organization closes the person's own ways in, because their address is the company's. */
const closingMemberships = (userId: RawBuilder<UserId>, now: unknown) => sql`${activeMemberships}
  and memberships.user_id = ${userId} and organizations.company_rule_from <= ${now} and ${hasAddressOf(userId)}`;

/** The company that decides the address of a row of `users`. */
export const addressManager = (now: Date) => sql<string | null>`(select organizations.name
  from ${closingMemberships(sql.ref<UserId>('users.id'), now)} limit 1)`;

/**
 * The organization of `closingMemberships`. A Super Admin keeps their ways, and so does a person whom the provider has
 * just named, in the browser of that visit: only their own proof links the two.
 */
export async function findClosingCompany(database: Db, userId: UserId, now: Date, browser?: string) {
  type Row = Record<'isSuperAdmin' | 'isLinking', boolean> & Record<'organization' | 'urlName', string>;
  const { rows } = await sql<Row & { orgId: OrgId }>`
    select organizations.id as "orgId", organizations.name as organization, organizations.url_name as "urlName",
      roles.kind = 'super-admin' as "isSuperAdmin",
      exists (select from company_links join company_connections on company_connections.id = connection_id
        where company_links.user_id = memberships.user_id and company_connections.org_id = organizations.id
          and company_links.browser_hash = ${browser === undefined ? null : sha256(browser)}
          and company_links.expires_at > ${now}) as "isLinking"
    from ${closingMemberships(sql`${userId}`, now)} join roles on roles.id = memberships.role_id
    order by roles.kind = 'super-admin' limit 1`.execute(database);
  return rows[0];
}

/**
 * The company that may prove the account of a session again: the session entered through its provider, and the person has
 * one of its addresses and no other organization.
 */
export async function findProvingCompany(database: Db, sessionId: SessionId) {
  const { rows } = await sql<{ connectionId: ConnectionId; subject: string; organization: string }>`
    select company_entries.connection_id as "connectionId", company_entries.subject, organizations.name as organization
    from sessions join company_entries on company_entries.session_id = sessions.id
    join company_connections on company_connections.id = company_entries.connection_id and company_connections.is_on
    join organizations on organizations.id = company_connections.org_id
    where sessions.id = ${sessionId} and ${servesAccount} and ${hasAddressOf(sql.ref('sessions.user_id'))}
      and not exists (select from memberships where memberships.user_id = sessions.user_id
        and memberships.org_id <> organizations.id and memberships.status <> ${sql.lit(MEMBER_STATUS.disabled)})
    limit 1`.execute(database);
  return rows[0];
}
