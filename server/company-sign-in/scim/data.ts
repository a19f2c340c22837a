// The tokens, users and groups of company directories, as the directories sent them.
import { type SelectQueryBuilder, sql as raw } from 'kysely';
import type { DirectoryTokenId, RefusedCall } from '#contract/company-sign-in/directory.ts';
import type { MemberId, OrgId, RoleId, UserId } from '#contract/wire.ts';
import { changing, type Db, type Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { textColumns, type UserText, type userTexts } from './data-attributes.ts';
import { leaveGroups } from './data-members.ts';
import type { Tables } from '#server/db/tables.ts';

// 1. Tokens

export const findDirectory = async (sql: Db, hash: Uint8Array) => (await directoryOf(sql, { hash })).at(0);
const directoryOf = prepared((sql, { hash }: { readonly hash: Uint8Array }) =>
  sql
    .selectFrom('scim_tokens')
    .select(['id', 'org_id as orgId', 'role_id as roleId', 'last_used_at as lastUsed'])
    .select(
      raw<string[]>`array(select domain from company_domains
        where company_domains.org_id = scim_tokens.org_id and proven_at is not null)`.as('domains'),
    )
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
    .select(['id', 'member_id as memberId', ...textColumns])
    .select(['email', 'email_key as emailKey', 'is_active as isActive'])
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

/** Those with this name, address or id in the directory. */
export const listAlike = (sql: Db, orgId: OrgId, userName: string, emailKey: string, externalId: string) =>
  users(sql, orgId)
    .where((row) =>
      row.or([
        row('user_name_key', '=', lowered(userName)),
        row('email_key', '=', emailKey),
        row.and([row('external_id', '<>', ''), row('external_id', '=', externalId)]),
      ]),
    )
    .execute();

export type Page = { readonly offset: number; readonly limit: number };
const pageOf = async <O>(query: SelectQueryBuilder<Tables, 'scim_users' | 'scim_groups', O>, page: Page) => {
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

type Sign = '=' | '>' | '>=' | '<' | '<=';
/** Conditions on columns, all of which must hold. */
export type Match<Column> = readonly {
  readonly column: Column;
  readonly sign: Sign;
  readonly key: string | boolean | Date;
}[];
/** Names are compared in lower case; those that directories look for have a column for it. */
const lowerCase: Readonly<Record<string, string>> = {
  user_name: 'user_name_key',
  formatted_name: 'lower(formatted_name)',
  given_name: 'lower(given_name)',
  family_name: 'lower(family_name)',
  title: 'lower(title)',
};
type Where = readonly [left: string, sign: Sign, key: unknown];
const condition = ([left, sign, key]: Where) => raw<boolean>`${raw.raw(left)} ${raw.raw(sign)} ${key}`;
const meets = ({ column, sign, key }: Match<string>[number], lower = lowerCase) =>
  column in lower
    ? condition([lower[column] as string, sign, lowered(String(key))])
    : condition([column, sign, key]);

type UserColumn =
  | (typeof userTexts)[UserText]['column']
  | Times
  | 'manager'
  | 'id'
  | 'is_active'
  | 'email_key';
type Times = 'created_at' | 'changed_at';
const userMeets = (match: Match<UserColumn>[number]) => {
  if (match.column === 'manager') return raw<boolean>`false`;
  // A person whose membership has ended is inactive.
  if (match.column === 'is_active')
    return condition(['(is_active and member_id is not null)', '=', match.key]);
  return meets(match, { ...lowerCase, display_name: 'lower(display_name)' });
};
export const listScimUsers = (sql: Db, orgId: OrgId, match: Match<UserColumn>, page: Page) =>
  pageOf(
    match.reduce((query, one) => query.where(userMeets(one)), users(sql, orgId)),
    page,
  );

export const countScimUsers = async (sql: Db, orgId: OrgId) =>
  (await listScimUsers(sql, orgId, [], { offset: 0, limit: 0 })).total;

type NewUser = Omit<
  Tables['scim_users'],
  'id' | 'user_name_key' | 'created_at' | 'is_role_due' | 'formatted_name'
> & { readonly formatted_name: string };
export const insertScimUser = (tx: Tx, user: NewUser) =>
  tx
    .insertInto('scim_users')
    .values({ ...user, created_at: user.changed_at })
    .returning('id')
    .executeTakeFirstOrThrow();
export const updateScimUser = (tx: Tx, id: string, user: NewUser) =>
  tx.updateTable('scim_users').set(user).where('id', '=', id).execute();
export async function deleteScimUser(tx: Tx, id: string) {
  await leaveGroups(tx, id);
  await tx.deleteFrom('scim_users').where('id', '=', id).execute();
}

export const isOfDirectory = async (sql: Db, memberId: MemberId) =>
  (await sql.selectFrom('scim_users').select('id').where('member_id', '=', memberId).executeTakeFirst()) !==
  undefined;

// 3. Groups

const groups = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('scim_groups')
    .select(['id', 'display_name as displayName', 'external_id as externalId', 'role_id as roleId', 'size'])
    .select(['created_at as createdAt', 'changed_at as changedAt'])
    .where('org_id', '=', orgId);
export type ScimGroup = Awaited<ReturnType<ReturnType<typeof groups>['executeTakeFirstOrThrow']>>;

export const findScimGroup = (sql: Db, orgId: OrgId, id: string) =>
  groups(sql, orgId).where('id', '=', id).executeTakeFirst();

export const findGroupNamed = (sql: Db, orgId: OrgId, name: string) =>
  groups(sql, orgId).where('name_key', '=', lowered(name)).executeTakeFirst();

const groupsOf = (sql: Db, userId: string) =>
  sql.selectFrom('scim_group_members').select('group_id').where('scim_user_id', '=', userId);
type GroupColumn = 'member' | 'id' | 'display_name' | 'external_id' | Times;
export const listScimGroups = (sql: Db, orgId: OrgId, match: Match<GroupColumn>, page: Page) =>
  pageOf(
    match.reduce(
      (query, one) =>
        one.column === 'member'
          ? query.where('id', 'in', groupsOf(sql, String(one.key)))
          : query.where(meets(one, { display_name: 'name_key' })),
      groups(sql, orgId),
    ),
    page,
  );

/** How many groups an organization has, and how many members all of them. */
export const countGroups = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('scim_groups')
    .select(({ fn }) => fn.countAll<number>().as('groups'))
    .select(raw<number>`coalesce(sum(size), 0)::int`.as('members'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();

type GroupRow = Pick<Tables['scim_groups'], 'org_id' | 'display_name' | 'external_id' | 'changed_at'>;
export const insertScimGroup = (tx: Tx, group: GroupRow) =>
  tx
    .insertInto('scim_groups')
    .values({ ...group, created_at: group.changed_at })
    .returning('id')
    .executeTakeFirstOrThrow();

type GroupNames = Pick<Tables['scim_groups'], 'display_name' | 'external_id'>;
export const renameScimGroup = (tx: Tx, id: string, names: GroupNames, now: Date) =>
  tx
    .updateTable('scim_groups')
    .set({ ...names, changed_at: now })
    .where('id', '=', id)
    .execute();
export const setRoleOfGroup = (tx: Tx, id: string, roleId: RoleId | null, now: Date) =>
  tx
    .updateTable('scim_groups')
    .set({ role_id: roleId, role_changes: raw`role_changes + 1`, changed_at: now })
    .where('id', '=', id)
    .execute();
export const deleteScimGroup = (tx: Tx, id: string) =>
  tx.deleteFrom('scim_groups').where('id', '=', id).execute();

/** Groups with the number of their members. */
export const listGroupSizes = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('scim_groups')
    .select(['id as groupId', 'display_name as name', 'role_id as roleId', 'size as members'])
    .where('org_id', '=', orgId)
    .orderBy('name_key')
    .execute();
