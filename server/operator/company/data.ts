import type { Db } from '#server/db/connect.ts';

/** The domains of organizations, with what signs their people in. */
export const listCompanies = (sql: Db) =>
  sql
    .selectFrom('company_domains')
    .innerJoin('organizations', 'organizations.id', 'company_domains.org_id')
    .leftJoin('company_connections', (join) =>
      join
        .onRef('company_connections.org_id', '=', 'company_domains.org_id')
        .on('company_connections.is_on', '=', true),
    )
    .select(['organizations.url_name as organization', 'domain', 'proven_at as provenAt', 'issuer'])
    .select(['company_rule as rule', 'company_rule_from as from'])
    .orderBy('organizations.url_name')
    .orderBy('domain')
    .execute();

/** Proven domains first. */
export const findClaimed = (sql: Db, domain: string) =>
  sql
    .selectFrom('company_domains')
    .innerJoin('organizations', 'organizations.id', 'company_domains.org_id')
    .select(['company_domains.id', 'domain', 'org_id as orgId', 'organizations.name as organization'])
    .select('organizations.url_name as urlName')
    .where('domain', '=', domain)
    .where('proven_at', 'is not', null)
    .executeTakeFirst();
