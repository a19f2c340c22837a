import { sql as raw } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { isReadyFor } from '#server/access/data.ts';

export const getRule = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('organizations')
    .select(['second_step_rule as rule', 'second_step_from as from'])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();

export const storeRule = (tx: Tx, orgId: OrgId, rule: SecondStepRule, from: Date | null) =>
  tx
    .updateTable('organizations')
    .set({ second_step_rule: rule, second_step_from: from })
    .where('id', '=', orgId)
    .execute();

const activeMembers = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.org_id', '=', orgId)
    .where('memberships.status', '=', MEMBER_STATUS.active);

export const countUnready = (sql: Db, orgId: OrgId) =>
  activeMembers(sql, orgId)
    .select((row) => [
      row.fn.countAll<number>().as('members'),
      raw<number>`count(*) filter (where not ${isReadyFor('any')})`.as('withoutAny'),
      raw<number>`count(*) filter (where not ${isReadyFor('strong')})`.as('withoutStrong'),
    ])
    .executeTakeFirstOrThrow();

export const listUnready = (
  sql: Db,
  orgId: OrgId,
  rule: Exclude<SecondStepRule, 'none'>,
  { after, limit }: { readonly after: UserId; readonly limit: number },
) =>
  activeMembers(sql, orgId)
    .select(['users.id as userId', 'users.email', 'users.time_zone as timeZone'])
    .where('users.id', '>', after)
    .where(raw<boolean>`not ${isReadyFor(rule)}`)
    .orderBy('users.id')
    .limit(limit)
    .execute();
