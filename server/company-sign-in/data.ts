import type { OrgId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';

export const getCompanyRule = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('organizations')
    .select(['company_rule as rule', 'company_rule_from as from'])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
