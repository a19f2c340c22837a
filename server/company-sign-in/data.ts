import { type Expression, type RawBuilder, sql as raw } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { domainOf } from '#server/accounts/rules.ts';
import type { Db } from '#server/db/connect.ts';

export const getCompanyRule = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('organizations')
    .select(['company_rule as rule', 'company_rule_from as from'])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();

/**
 * Whether a directory adds the people of an organization, so that nobody joins by themselves: it has a token, and has called
 * or sent somebody. A token that nobody uses yet changes nothing.
 */
export const hasDirectory = (orgId: Expression<unknown>): RawBuilder<boolean> =>
  raw`exists (select from scim_tokens where scim_tokens.org_id = ${orgId} and (last_used_at is not null
    or exists (select from scim_users where scim_users.org_id = scim_tokens.org_id)))`;

export const listProvenDomains = async (sql: Db, orgId: OrgId) => {
  const rows = await sql
    .selectFrom('company_domains')
    .select('domain')
    .where('org_id', '=', orgId)
    .where('proven_at', 'is not', null)
    .execute();
  return rows.map(({ domain }) => domain);
};

/** Whether the organization has proven the domain of an address. */
export const isOfCompany = async (sql: Db, orgId: OrgId, email: string | null) =>
  email !== null && (await listProvenDomains(sql, orgId)).includes(domainOf(email));

/** The active members whom the connection lets in, because a proven domain (of one name, if given) has their address. */
export async function listVouchedFor(sql: Db, orgId: OrgId, domain?: string): Promise<UserId[]> {
  const rows = await sql
    .selectFrom('company_connections')
    .innerJoin('company_identities', 'company_identities.connection_id', 'company_connections.id')
    .innerJoin('memberships', 'memberships.user_id', 'company_identities.user_id')
    .innerJoin('users', 'users.id', 'company_identities.user_id')
    .innerJoin('company_domains', (join) =>
      join.on('company_domains.domain', '=', raw<string>`split_part(users.email, '@', 2)`),
    )
    .select('users.id')
    .distinct()
    .where('company_connections.org_id', '=', orgId)
    .where('is_on', '=', true)
    .where('memberships.org_id', '=', orgId)
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .where('company_domains.org_id', '=', orgId)
    .where('proven_at', 'is not', null)
    .$if(domain !== undefined, (query) => query.where('company_domains.domain', '=', domain as string))
    .execute();
  return rows.map(({ id }) => id);
}
