import { type NotNull, sql as raw } from 'kysely';
import type { OrgId, UserId } from '#contract/wire.ts';
import { hasDirectory } from '#server/company-sign-in/data.ts';
import type { Db, Tx } from '#server/db/connect.ts';

/** People with a confirmed address of a proven domain, whom no directory has deactivated, and its organization. */
const newcomers = (sql: Db) =>
  sql
    .selectFrom('users')
    .innerJoin('company_domains', (join) =>
      join.on('company_domains.domain', '=', raw<string>`split_part(users.email, '@', 2)`),
    )
    .innerJoin('organizations', 'organizations.id', 'company_domains.org_id')
    .leftJoin('join_requests', (join) =>
      join
        .onRef('join_requests.user_id', '=', 'users.id')
        .onRef('join_requests.org_id', '=', 'company_domains.org_id'),
    )
    .where('users.confirmed_at', 'is not', null)
    .where('company_domains.proven_at', 'is not', null)
    .where(
      raw<boolean>`not exists (select from memberships
        where memberships.org_id = company_domains.org_id and memberships.user_id = users.id)
        and not exists (select from account_deletions where account_deletions.user_id = users.id)
        and not exists (select from scim_users where scim_users.org_id = company_domains.org_id
          and email_key = users.email and not is_active)`,
    );

/** A directory decides who belongs to the company, so that others may only ask. */
const joiningNow = raw<'ask' | 'click'>`case when ${hasDirectory(raw.ref('company_domains.org_id'))}
  then 'ask' else company_domains.joining end`;

/** The organization that a person may join by the domain of their address. */
export const findOffer = (sql: Db, userId: UserId) =>
  newcomers(sql)
    .select(['organizations.id as orgId', 'organizations.name as organization'])
    .select(['organizations.url_name as urlName', joiningNow.as('joining')])
    .select(['company_domains.role_id as roleId', 'join_requests.created_at as askedTime'])
    .select(['users.first_name as firstName', 'users.last_name as lastName', 'users.designation'])
    .where('users.id', '=', userId)
    .where('company_domains.joining', '<>', 'invitation')
    .executeTakeFirst();

/** The people who ask to be let in, longest first. A person who has lost the address no longer counts. */
export const listRequests = (sql: Db, orgId: OrgId, userId?: UserId) =>
  newcomers(sql)
    .select(['users.id as userId', 'users.first_name as firstName', 'users.last_name as lastName'])
    .select(['users.email', 'users.designation', 'join_requests.created_at as askedTime'])
    .where('join_requests.org_id', '=', orgId)
    .$if(userId !== undefined, (query) => query.where('users.id', '=', userId as UserId))
    .$narrowType<{ email: NotNull; askedTime: NotNull }>()
    .orderBy('join_requests.created_at')
    .orderBy('users.id')
    .limit(200)
    .execute();

/** A person asks one organization at a time. */
export const insertRequest = (tx: Tx, orgId: OrgId, userId: UserId, createdAt: Date) =>
  tx
    .insertInto('join_requests')
    .values({ org_id: orgId, user_id: userId, created_at: createdAt })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ org_id: orgId, created_at: createdAt }),
    )
    .execute();

/** Returns the organization that was asked. */
export const deleteRequest = (tx: Tx, userId: UserId) =>
  tx
    .deleteFrom('join_requests')
    .where('user_id', '=', userId)
    .returning('org_id as orgId')
    .executeTakeFirst();

export const deleteRequestsBefore = (sql: Db, moment: Date) =>
  sql.deleteFrom('join_requests').where('created_at', '<=', moment).execute();
