import { sql as raw } from 'kysely';
import type { CompanyRule } from '#contract/company-sign-in/rule.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hasAddressOf, isLinkedTo } from '#server/access/data.ts';

export const storeCompanyRule = (tx: Tx, orgId: OrgId, rule: CompanyRule, from: Date | null) =>
  tx
    .updateTable('organizations')
    .set({ company_rule: rule, company_rule_from: from })
    .where('id', '=', orgId)
    .execute();

const member = raw.ref<UserId>('memberships.user_id');
const isUnlinked = raw<boolean>`not ${isLinkedTo(member)}`;
/** Active members, and those of them whom the provider does not know yet. */
export const countUnlinked = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .select((row) => [
      row.fn.countAll<number>().as('members'),
      raw<number>`count(*) filter (where ${isUnlinked})`.as('unlinked'),
      raw<number>`count(*) filter (where ${isUnlinked} and ${hasAddressOf(member)})`.as(
        'unlinkedOfAddresses',
      ),
    ])
    .where('memberships.org_id', '=', orgId)
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .executeTakeFirstOrThrow();
