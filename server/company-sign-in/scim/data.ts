import { type SelectQueryBuilder, sql as raw } from 'kysely';
import type { DirectoryTokenId, RefusedCall } from '#contract/company-sign-in/directory.ts';
import type { MemberId, OrgId, RoleId, UserId } from '#contract/wire.ts';
import { changing, type Db, type Tx } from '#server/db/connect.ts';
import { hidden, prepared } from '#server/db/prepared.ts';
import type { Tables } from '#server/db/tables.ts';

// 1. Tokens

export const findDirectory = async (sql: Db, hash: Uint8Array) => (await directoryOf(sql, { hash })).at(0);
const directoryOf = prepared((sql, { hash }: { readonly hash: Uint8Array }) =>
  sql
    .selectFrom('scim_tokens')
    .select(['id', 'org_id as orgId', 'role_id as roleId', 'last_used_at as lastUsed'])
    .where('token_hash', '=', hash),
);
/** A company directory as its token proves it. */
export type Directory = NonNullable<Awaited<ReturnType<typeof findDirectory>>>;

export const listTokens = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('scim_tokens')
    .select(['id', 'role_id as roleId', 'created_at as createdTime'])
    .select(['last_used_at as lastUsedTime', 'refused'])
    .where('org_id', '=', orgId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

type NewToken = { readonly orgId: OrgId; readonly roleId: RoleId; readonly createdBy: UserId };
export const insertToken = (tx: Tx, { orgId, roleId, createdBy }: NewToken, hash: Uint8Array, now: Date) =>
  tx
    .insertInto('scim_tokens')
    .values({ org_id: orgId, token_hash: hash, role_id: roleId, created_by: createdBy, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();

export const deleteToken = (tx: Tx, orgId: OrgId, id: DirectoryTokenId) =>
  tx
    .deleteFrom('scim_tokens')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();

export const touchToken = (sql: Db, id: DirectoryTokenId, now: Date) =>
  changing(sql).updateTable('scim_tokens').set({ last_used_at: now }).where('id', '=', id).execute();

const REFUSED_MAX = 20;
/** Keeps the newest refused calls. */
export const noteRefused = (sql: Db, id: DirectoryTokenId, call: RefusedCall) =>
  changing(sql)
    .updateTable('scim_tokens')
    .set({
      refused: raw`(select jsonb_agg(call order by place) from (
        select call, place from jsonb_array_elements(jsonb_build_array(${JSON.stringify(call)}::jsonb) || refused)
          with ordinality as calls (call, place) order by place limit ${REFUSED_MAX}) as newest)`,
    })
    .where('id', '=', id)
    .execute();

// 2. Users

const users = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('scim_users')
    .select(['id', 'member_id as memberId', 'user_name as userName', 'external_id as externalId'])
    .select(['email', 'email_key as emailKey', 'is_active as isActive', 'given_name as givenName'])
    .select(['family_name as familyName', 'display_name as displayName', 'title'])
    .select(['created_at as createdAt', 'changed_at as changedAt'])
    .select((row) =>
      row
        .selectFrom('memberships')
        .select('memberships.user_id')
        .whereRef('memberships.id', '=', 'scim_users.member_id')
        .as('memberUserId'),
    )
    .where('org_id', '=', orgId);
export type ScimUser = Awaited<ReturnType<ReturnType<typeof users>['executeTakeFirstOrThrow']>>;

export const findScimUser = (sql: Db, orgId: OrgId, id: string) =>
  users(sql, orgId).where('id', '=', id).executeTakeFirst();

/** Those with this name or address. */
export const listAlike = (sql: Db, orgId: OrgId, userName: string, emailKey: string) =>
  users(sql, orgId)
    .where((row) => row.or([row('user_name_key', '=', lowered(userName)), row('email_key', '=', emailKey)]))
    .execute();

type Page = { readonly offset: number; readonly limit: number };
const paged = async <O>(query: SelectQueryBuilder<Tables, 'scim_users' | 'scim_groups', O>, page: Page) => {
  const { total } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const isEmpty = page.limit === 0 || total <= page.offset;
  const rows = isEmpty
    ? []
    : await query.orderBy('created_at').orderBy('id').offset(page.offset).limit(page.limit).execute();
  return { total, rows };
};

/** JavaScript and the database write some letters differently in lower case, as İ and a Σ at the end. */
const lowered = (text: string) => raw<string>`lower(${text}::text)`;

export type Match<Column> = readonly (readonly [column: Column, value: string])[];
const valueOf = (column: string, value: string) => (column.endsWith('name_key') ? lowered(value) : value);
type UserColumn = 'manager' | 'id' | 'user_name_key' | 'external_id' | 'email_key';
export const listScimUsers = (sql: Db, orgId: OrgId, match: Match<UserColumn>, page: Page) =>
  paged(
    match.reduce(
      (query, [column, value]) =>
        column === 'manager'
          ? query.where((row) => row.lit(false))
          : query.where(column, '=', valueOf(column, value)),
      users(sql, orgId),
    ),
    page,
  );

export const countScimUsers = async (sql: Db, orgId: OrgId) =>
  (await listScimUsers(sql, orgId, [], { offset: 0, limit: 0 })).total;

type NewUser = Omit<Tables['scim_users'], 'id' | 'user_name_key' | 'created_at'>;
export const insertScimUser = (tx: Tx, user: NewUser) =>
  tx
    .insertInto('scim_users')
    .values({ ...user, created_at: user.changed_at })
    .returning('id')
    .executeTakeFirstOrThrow();
export const updateScimUser = (tx: Tx, id: string, user: NewUser) =>
  tx.updateTable('scim_users').set(user).where('id', '=', id).execute();
export const deleteScimUser = (tx: Tx, id: string) =>
  tx.deleteFrom('scim_users').where('id', '=', id).execute();

export const isOfDirectory = async (sql: Db, memberId: MemberId) =>
  (await sql.selectFrom('scim_users').select('id').where('member_id', '=', memberId).executeTakeFirst()) !==
  undefined;

// 3. Groups

const groups = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('scim_groups')
    .select(['id', 'display_name as displayName', 'external_id as externalId', 'role_id as roleId'])
    .select(['created_at as createdAt', 'changed_at as changedAt'])
    .where('org_id', '=', orgId);
export type ScimGroup = Awaited<ReturnType<ReturnType<typeof groups>['executeTakeFirstOrThrow']>>;

export const findScimGroup = (sql: Db, orgId: OrgId, id: string) =>
  groups(sql, orgId).where('id', '=', id).executeTakeFirst();

export const findGroupNamed = (sql: Db, orgId: OrgId, name: string) =>
  groups(sql, orgId).where('name_key', '=', lowered(name)).executeTakeFirst();

const groupsOf = (sql: Db, userId: string) =>
  sql.selectFrom('scim_group_members').select('group_id').where('scim_user_id', '=', userId);
type GroupColumn = 'member' | 'id' | 'name_key' | 'external_id';
export const listScimGroups = (sql: Db, orgId: OrgId, match: Match<GroupColumn>, page: Page) =>
  paged(
    match.reduce(
      (query, [column, value]) =>
        column === 'member'
          ? query.where('id', 'in', groupsOf(sql, value))
          : query.where(column, '=', valueOf(column, value)),
      groups(sql, orgId),
    ),
    page,
  );

export const insertScimGroup = (
  tx: Tx,
  group: Omit<Tables['scim_groups'], 'id' | 'name_key' | 'created_at' | 'role_id'>,
) =>
  tx
    .insertInto('scim_groups')
    .values({ ...group, created_at: group.changed_at })
    .returning('id')
    .executeTakeFirstOrThrow();

type GroupChange = Partial<Pick<Tables['scim_groups'], 'display_name' | 'external_id' | 'role_id'>>;
export const updateScimGroup = (tx: Tx, id: string, change: GroupChange, now: Date) =>
  tx
    .updateTable('scim_groups')
    .set({ ...change, changed_at: now })
    .where('id', '=', id)
    .execute();
export const deleteScimGroup = (tx: Tx, id: string) =>
  tx.deleteFrom('scim_groups').where('id', '=', id).execute();

/** Groups with the number of their members. */
export const listGroupSizes = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('scim_groups')
    .select(['id as groupId', 'display_name as name', 'role_id as roleId'])
    .select((row) =>
      row
        .selectFrom('scim_group_members')
        .whereRef('group_id', '=', 'scim_groups.id')
        .select(({ fn }) => fn.countAll<number>().as('members'))
        .$asScalar()
        .$notNull()
        .as('members'),
    )
    .where('org_id', '=', orgId)
    .orderBy('name_key')
    .execute();

export async function listGroupMembers(sql: Db, groupIds: readonly string[]) {
  const members = new Map<string, { readonly id: string; readonly userName: string }[]>();
  if (groupIds.length === 0) return members;
  const rows = await sql
    .selectFrom('scim_group_members')
    .innerJoin('scim_users', 'scim_users.id', 'scim_user_id')
    .select(['group_id as groupId', 'scim_users.id', 'user_name as userName'])
    .where('group_id', 'in', groupIds)
    .orderBy('scim_users.created_at')
    .orderBy('scim_users.id')
    .execute();
  for (const { groupId, ...member } of rows) members.set(groupId, [...(members.get(groupId) ?? []), member]);
  return members;
}

/** Those of the ids that are users of the organization. */
export const findUserIds = async (sql: Db, orgId: OrgId, ids: readonly string[]) =>
  (
    await raw<{ id: string }>`select id from scim_users
      where org_id = ${orgId} and id = any(${hidden(ids, 'text[]')}::uuid[])`.execute(sql)
  ).rows.map(({ id }) => id);

export const addToGroup = (tx: Tx, groupId: string, ids: readonly string[]) =>
  tx
    .insertInto('scim_group_members')
    .values(ids.map((id) => ({ group_id: groupId, scim_user_id: id })))
    .execute();
export const removeFromGroup = (tx: Tx, groupId: string, ids: readonly string[]) =>
  tx
    .deleteFrom('scim_group_members')
    .where('group_id', '=', groupId)
    .where('scim_user_id', 'in', ids)
    .execute();

/** The role that the groups of users give each of them: an admin role before others, then that of the oldest group. */
export async function findGroupRoles(sql: Db, userIds: readonly string[]) {
  if (userIds.length === 0) return new Map<string, RoleId>();
  const rows = await sql
    .selectFrom('scim_group_members')
    .innerJoin('scim_groups', 'scim_groups.id', 'group_id')
    .innerJoin('roles', 'roles.id', 'scim_groups.role_id')
    .distinctOn('scim_user_id')
    .select(['scim_user_id as id', 'roles.id as roleId'])
    .where('scim_user_id', 'in', userIds)
    .orderBy('scim_user_id')
    .orderBy('roles.is_admin', 'desc')
    .orderBy('scim_groups.created_at')
    .orderBy('scim_groups.id')
    .execute();
  return new Map(rows.map(({ id, roleId }) => [id, roleId]));
}
