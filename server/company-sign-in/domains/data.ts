import { sql as raw, type Updateable } from 'kysely';
import type { DomainId } from '#contract/company-sign-in/domains.ts';
import type { OrgId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Tables } from '#server/db/tables.ts';
import { recordName, recordValue } from './rules.ts';

const domains = (sql: Db) =>
  sql
    .selectFrom('company_domains')
    .select(['id', 'org_id as orgId', 'domain', 'token', 'joining', 'role_id as roleId'])
    .select(['proven_at as provenTime', 'checked_at as checkedTime', 'missing_since as missingSince']);
export type Domain = Awaited<ReturnType<ReturnType<typeof domains>['executeTakeFirstOrThrow']>>;

export const toCompanyDomain = ({ token, ...domain }: Domain) => ({
  ...domain,
  recordName: recordName(domain.domain),
  recordValue: recordValue(token),
});

export const listDomains = (sql: Db, orgId: OrgId) =>
  domains(sql).where('org_id', '=', orgId).orderBy('domain').execute();

export const findDomain = (sql: Db, orgId: OrgId, id: DomainId) =>
  domains(sql).where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst();

export const findDomainById = (sql: Db, id: DomainId) => domains(sql).where('id', '=', id).executeTakeFirst();

type New = {
  readonly orgId: OrgId;
  readonly domain: string;
  readonly token: string;
  readonly createdAt: Date;
};
/** Undefined if the organization has the domain already. */
export const insertDomain = (tx: Tx, { orgId, domain, token, createdAt }: New) =>
  tx
    .insertInto('company_domains')
    .values({ org_id: orgId, domain, token, created_at: createdAt })
    .onConflict((conflict) => conflict.columns(['org_id', 'domain']).doNothing())
    .returning('id')
    .executeTakeFirst();

export const updateDomain = (tx: Tx, id: DomainId, change: Updateable<Tables['company_domains']>) =>
  tx.updateTable('company_domains').set(change).where('id', '=', id).execute();

/** Proves the domain unless an organization has proven it already; returns whether it did. */
export async function proveDomain(tx: Tx, { id, domain }: Pick<Domain, 'id' | 'domain'>, now: Date) {
  // Two organizations may find their records at the same time.
  await raw`select pg_advisory_xact_lock(hashtext(${`company domain ${domain}`}))`.execute(tx);
  const { numUpdatedRows } = await tx
    .updateTable('company_domains')
    .set({ proven_at: now })
    .where('id', '=', id)
    .where(
      raw<boolean>`not exists (select from company_domains other
        where other.domain = ${domain} and other.proven_at is not null)`,
    )
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

export const deleteDomain = (tx: Tx, id: DomainId) =>
  tx.deleteFrom('company_domains').where('id', '=', id).execute();

/** The proven domains that were last checked before a moment. */
export const listUnchecked = (sql: Db, before: Date, limit: number) =>
  sql
    .selectFrom('company_domains')
    .select('id')
    .where('proven_at', 'is not', null)
    .where('checked_at', '<=', before)
    .orderBy('checked_at')
    .limit(limit)
    .execute();
