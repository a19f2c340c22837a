import { type NotNull, sql } from 'kysely';
import { rankOf } from '#contract/members/authority.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { Rights } from '#contract/roles/permissions.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hiddenValue, prepared } from '#server/db/prepared.ts';
import { columnsOf, joinedMemberships, membershipFacts } from '#server/access/data.ts';
import type { Membership } from '#contract/access/facts.ts';

export const standingKey = (userId: UserId, orgId: OrgId | undefined) => `${userId} ${orgId ?? NONE}`;
/** No organization has this id. */
const NONE = 0;

/** Current active memberships by key. A person without a default organization gets their oldest one. */
export async function findStandings(database: Db, keys: readonly string[]) {
  const pairs = keys.map((key) => key.split(' ').map(Number));
  const rows = await standingsOf(database, {
    userIds: pairs.map(([userId]) => userId),
    orgIds: pairs.map(([, orgId]) => orgId),
  });
  return new Map(
    rows.map(({ key, name, isAdmin, ...standing }) => [
      key,
      { ...standing, rank: rankOf({ name, isAdmin }) },
    ]),
  );
}
type Lists = { readonly userIds: readonly unknown[]; readonly orgIds: readonly unknown[] };
const standingsOf = prepared(
  (_, { userIds, orgIds }: Lists) => sql<StandingRow>`
    select pair.user_id || ' ' || pair.org_id as key, standing.*
    from unnest(${hiddenValue(userIds, 'bigint[]')}, ${hiddenValue(orgIds, 'bigint[]')}) as pair (user_id, org_id)
    cross join lateral (
      select ${sql.join(columnsOf(membershipFacts))}, roles.id as "roleId", roles.name, roles.is_admin as "isAdmin"
      from ${joinedMemberships}
      where memberships.user_id = pair.user_id and memberships.status = ${MEMBER_STATUS.active}
        and (pair.org_id = ${NONE} or memberships.org_id = pair.org_id)
      order by memberships.is_default desc, memberships.id limit 1
    ) as standing`,
);
type StandingRow = Membership & {
  readonly key: string;
  readonly roleId: RoleId;
  readonly name: string;
  readonly isAdmin: boolean;
};

const powers = (database: Db) =>
  database
    .selectFrom('roles')
    .select(['roles.id', 'roles.name', 'roles.kind', 'roles.is_admin as isAdmin'])
    .select(
      sql<string[]>`array(select service || '.' || module || '.' || action from role_rights
        where role_rights.role_id = roles.id)`.as('rights'),
    );

type PowerRow = Awaited<ReturnType<ReturnType<typeof powers>['execute']>>[number];
const toPower = (role: PowerRow) => {
  const rights: Rights = role.kind === 'custom' ? new Set(role.rights) : 'all';
  return { ...role, rank: rankOf(role), rights };
};

const roleOf = prepared((sql, { orgId, roleId }: { readonly orgId: OrgId; readonly roleId: RoleId }) =>
  powers(sql).where('roles.org_id', '=', orgId).where('roles.id', '=', roleId),
);
export async function findRole(sql: Db, orgId: OrgId, roleId: RoleId) {
  const [role] = await roleOf(sql, { orgId, roleId });
  return role && toPower(role);
}

const powerOf = prepared((sql, { orgId, userId }: { readonly orgId: OrgId; readonly userId: UserId }) =>
  powers(sql)
    .innerJoin('memberships', 'memberships.role_id', 'roles.id')
    .where('memberships.org_id', '=', orgId)
    .where('memberships.user_id', '=', userId)
    .where('memberships.status', '=', MEMBER_STATUS.active),
);
/** An active member's current role, rank and rights. Undefined if they are not an active member. */
export async function findCaller(sql: Db, orgId: OrgId, userId: UserId) {
  const [role] = await powerOf(sql, { orgId, userId });
  if (!role) return undefined;
  const { id: roleId, rank, rights } = toPower(role);
  return { userId, roleId, rank, rights };
}

const powersOf = prepared((sql, { orgId }: { readonly orgId: OrgId }) =>
  powers(sql).where('roles.org_id', '=', orgId),
);
export async function listPowers(sql: Db, orgId: OrgId) {
  const rows = await powersOf(sql, { orgId });
  return new Map(rows.map((row) => [row.id, toPower(row)]));
}

/** Read under its lock if a change depends on them. People who wait for their erasure cannot act, so they do not count. */
export const activeSuperAdmins = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .where('roles.org_id', '=', orgId)
    .where('roles.kind', '=', 'super-admin')
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .where((member) =>
      member.not(
        member.exists(
          member
            .selectFrom('account_deletions')
            .select('account_deletions.user_id')
            .whereRef('account_deletions.user_id', '=', 'memberships.user_id'),
        ),
      ),
    );

/** Two of them at most, which shows whether one is the last. */
export async function listTwoSuperAdmins(sql: Db, orgId: OrgId): Promise<UserId[]> {
  const rows = await activeSuperAdmins(sql, orgId).select('memberships.user_id as userId').limit(2).execute();
  return rows.map(({ userId }) => userId);
}

/** The active Super Admins with a confirmed address: an unconfirmed one may be a stranger's. */
export const listSuperAdminAddresses = (tx: Tx, orgId: OrgId) =>
  activeSuperAdmins(tx, orgId)
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id as userId', 'users.email'])
    .where('users.confirmed_at', 'is not', null)
    .where('users.email', 'is not', null)
    .$narrowType<{ email: NotNull }>()
    .orderBy('memberships.id')
    .execute();

export async function countSuperAdmins(sql: Db, orgId: OrgId): Promise<number> {
  const query = activeSuperAdmins(sql, orgId).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** In SQL: the person has no default organization, so this one becomes it. */
export const hasNoDefault = (userId: UserId) =>
  sql<boolean>`not exists (select from memberships where user_id = ${userId} and is_default)`;
