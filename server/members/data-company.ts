import { type Expression, sql } from 'kysely';
import type { MemberId, OrgId, RoleId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';

/** The hold of a company directory that still has a token on a membership. */
export const holdOn = (sql: Db, memberId: MemberId | Expression<MemberId>) =>
  sql
    .selectFrom('scim_users')
    .select('is_active as isActive')
    .select((user) =>
      user
        .exists(
          user
            .selectFrom('scim_group_members')
            .innerJoin('scim_groups', 'scim_groups.id', 'group_id')
            .select('group_id')
            .whereRef('scim_user_id', '=', 'scim_users.id')
            .where('role_id', 'is not', null),
        )
        .as('hasGroupRole'),
    )
    .where((user) =>
      user.exists(
        user
          .selectFrom('scim_tokens')
          .select('scim_tokens.id')
          .whereRef('scim_tokens.org_id', '=', 'scim_users.org_id'),
      ),
    )
    .where('member_id', '=', memberId);
export const findHold = (sql: Db, memberId: MemberId) => holdOn(sql, memberId).executeTakeFirst();

/** A role in place of the one with which people join by a click. Nobody becomes a Super Admin so: they have to ask. */
export const moveRoleOfDomains = (tx: Tx, orgId: OrgId, from: RoleId, to: RoleId) =>
  sql`update company_domains
    set role_id = roles.id, joining = case when roles.id is null then 'ask' else joining end
    from (select ${to}::bigint as chosen) as replacement
      left join roles on roles.id = replacement.chosen and roles.kind <> 'super-admin'
    where company_domains.org_id = ${orgId} and company_domains.role_id = ${from}`.execute(tx);

/** The same for company directories and new colleagues, who get no role in place of it. */
export async function moveRoleOfDirectory(tx: Tx, orgId: OrgId, from: RoleId, to: RoleId) {
  for (const table of ['scim_tokens', 'scim_groups', 'company_connections'] as const)
    await tx
      .updateTable(table)
      .set({ role_id: sql<RoleId | null>`(select id from roles where id = ${to} and kind <> 'super-admin')` })
      .where('org_id', '=', orgId)
      .where('role_id', '=', from)
      .execute();
}
