import { sql as raw } from 'kysely';
import type { CompanyRule } from '#contract/company-sign-in/rule.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hasAddressOf } from '#server/sessions/entry/data.ts';

export const storeCompanyRule = (tx: Tx, orgId: OrgId, rule: CompanyRule, from: Date | null) =>
  tx
    .updateTable('organizations')
    .set({ company_rule: rule, company_rule_from: from })
    .where('id', '=', orgId)
    .execute();

const isLinked = raw<boolean>`exists (select from company_identities
  join company_connections on company_connections.id = company_identities.connection_id
  where company_identities.user_id = memberships.user_id and company_connections.org_id = memberships.org_id)`;
/** Active members, and those of them whom the provider does not know yet. */
export const countUnlinked = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .select((row) => [
      row.fn.countAll<number>().as('members'),
      raw<number>`count(*) filter (where not ${isLinked})`.as('unlinked'),
      raw<number>`count(*) filter (where not ${isLinked} and ${hasAddressOf(raw.ref('memberships.user_id'))})`.as(
        'unlinkedOfAddresses',
      ),
    ])
    .where('memberships.org_id', '=', orgId)
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .executeTakeFirstOrThrow();
