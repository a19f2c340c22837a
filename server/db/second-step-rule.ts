import { type RawBuilder, sql } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { STRONG_STEPS } from '#contract/organizations/second-step-rule.ts';
import type { OrgId, SessionId } from '#contract/wire.ts';

/** Whether a row of `sessions` may enter a row of `organizations` now. The same as `meetsRule`. */
export const isRuleMet = (now: unknown): RawBuilder<boolean> => sql<boolean>`
  (organizations.second_step_from is null or organizations.second_step_from > ${now}
    or (sessions.second_step is not null
      and (organizations.second_step_rule = 'any' or sessions.second_step in (${sql.join(STRONG_STEPS.map((step) => sql.lit(step)))}))))`;

export type Visit = { readonly sessionId: SessionId; readonly now: Date };
const organizationsOf = ({ sessionId }: Visit, condition: RawBuilder<boolean>) => sql<OrgId>`
  (select memberships.org_id from sessions
    join memberships on memberships.user_id = sessions.user_id and memberships.status = ${sql.lit(MEMBER_STATUS.active)}
    join organizations on organizations.id = memberships.org_id
    where sessions.id = ${sessionId} and ${condition})`;

/** The ids of the organizations that a session may enter now, as a subquery. `http/gate.ts` asks the same for one. */
export const openOrganizations = (visit: Visit) => organizationsOf(visit, isRuleMet(visit.now));

/** Those of the person that the session may not enter, because it has not proven the second step. */
export const closedOrganizations = (visit: Visit) =>
  organizationsOf(visit, sql<boolean>`not ${isRuleMet(visit.now)}`);
