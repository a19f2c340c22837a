import { type RawBuilder, sql } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { STRONG_STEPS } from '#contract/organizations/second-step-rule.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

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

/** A row of `sessions` has the second step that a row of `organizations` asks for: `meetsRule` in SQL. */
export const isRuleMet = (now: unknown) => sql<boolean>`
  (organizations.second_step_from is null or organizations.second_step_from > ${now}
    or (sessions.second_step is not null
      and (organizations.second_step_rule = 'any' or sessions.second_step in (${sql.join(STRONG_STEPS.map((step) => sql.lit(step)))}))))`;

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

export async function meetsRuleOf(
  database: Db,
  { sessionId, now }: { readonly sessionId: SessionId | null; readonly now: Date },
  orgId: OrgId,
): Promise<boolean> {
  const row = await database
    .selectFrom('organizations')
    .leftJoin('sessions', (join) => join.on('sessions.id', '=', sessionId))
    .select('organizations.id')
    .where('organizations.id', '=', orgId)
    .where(isRuleMet(now))
    .executeTakeFirst();
  return row !== undefined;
}
