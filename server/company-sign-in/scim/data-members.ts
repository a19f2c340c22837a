import { sql as raw } from 'kysely';
import type { OrgId, RoleId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hiddenValue } from '#server/db/prepared.ts';

// Groups have members, and the roles of these have to follow. A group may have 20,000 members, so that each statement here
// touches a portion of them, and `size` counts them.

/** The rows of one statement: few enough that nobody waits long for it on the embedded database. */
export const PORTION = 100;
/** Rows that are only read take less time. */
export const READ_PORTION = 500;
const ids = (list: readonly string[]) => raw<string[]>`${hiddenValue(list, 'text[]')}::uuid[]`;

/** Before each id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
type Place = { readonly groupId: string; readonly id: string };
/** Members of groups after a place, in a stable order. Each group is one range of the index. */
export async function listGroupMembers(
  sql: Db,
  groupIds: readonly string[],
  after: Place | undefined,
  most: number,
) {
  const { rows } = await raw<Place & { readonly userName: string }>`
    select asked.id as "groupId", scim_users.id, user_name as "userName"
    from unnest(${ids(groupIds.filter((id) => !after || id >= after.groupId))}) asked(id)
      cross join lateral (
        select scim_user_id from scim_group_members
        where group_id = asked.id
          and scim_user_id > case when asked.id = ${after?.groupId ?? null}::uuid then ${after?.id ?? NO_ID}::uuid
            else ${NO_ID}::uuid end
        order by scim_user_id limit ${most}) member
      join scim_users on scim_users.id = scim_user_id
    order by asked.id, scim_users.id limit ${most}`.execute(sql);
  return rows;
}

/** The groups of users, for answers that name them. */
export async function listGroupsOf(sql: Db, userIds: readonly string[]) {
  const { rows } = await raw<{ readonly userId: string; readonly id: string; readonly displayName: string }>`
    select scim_user_id as "userId", scim_groups.id, display_name as "displayName"
    from scim_group_members join scim_groups on scim_groups.id = group_id
    where scim_user_id = any(${ids(userIds)}) order by scim_groups.created_at, scim_groups.id`.execute(sql);
  return rows;
}

/** Those of the ids that are users of the organization. */
export const findUserIds = async (sql: Db, orgId: OrgId, list: readonly string[]) =>
  (
    await raw<{
      id: string;
    }>`select id from scim_users where org_id = ${orgId} and id = any(${ids(list)})`.execute(sql)
  ).rows.map(({ id }) => id);

type Edit = { readonly added: readonly string[]; readonly removed: readonly string[] };
type Moved = { readonly before: number; readonly after: number; readonly hasRole: boolean };
/** Adds and removes members. Undefined if nothing changed. If the group has a role, that of the moved people is due. */
export async function moveGroupMembers(tx: Tx, groupId: string, { added, removed }: Edit, now: Date) {
  const { rows } = await raw<Moved>`
    with added as (
        insert into scim_group_members (group_id, scim_user_id) select ${groupId}::uuid, unnest(${ids(added)})
        on conflict do nothing returning scim_user_id as id),
      removed as (
        delete from scim_group_members where group_id = ${groupId} and scim_user_id = any(${ids(removed)})
        returning scim_user_id as id),
      moved as (select id, 1 as step from added union all select id, -1 from removed),
      counted as (
        update scim_groups set changed_at = ${now}, size = size + (select sum(step) from moved)
        where id = ${groupId} and exists (select from moved)
        returning size, role_id is not null as has_role),
      due as (
        update scim_users set is_role_due = true
        where id in (select id from moved) and exists (select from counted where has_role))
    select size - (select sum(step)::int from moved) as before, size as after, has_role as "hasRole"
    from counted`.execute(tx);
  return rows[0];
}

/** Ends all memberships of a user in groups. */
export const leaveGroups = (tx: Tx, id: string) =>
  raw`with gone as (delete from scim_group_members where scim_user_id = ${id} returning group_id)
    update scim_groups set size = size - 1 where id in (select group_id from gone)`.execute(tx);

/** Marks a portion of the members of a group whose role has changed, and says where it ended. */
export async function markDue(tx: Tx, groupId: string, after: string | undefined) {
  const { rows } = await raw<{ readonly last: string | null }>`
    with portion as (
        select scim_user_id as id from scim_group_members where group_id = ${groupId}
          ${after === undefined ? raw`` : raw`and scim_user_id > ${after}::uuid`}
        order by scim_user_id limit ${PORTION}),
      due as (update scim_users set is_role_due = true where id in (select id from portion))
    select max(id::text) as last from portion`.execute(tx);
  return rows[0]?.last ?? undefined;
}

/** A group whose role has changed, with the number of the changes that its members have not followed. */
export const findDueGroup = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('scim_groups')
    .select(['id', 'role_changes as changes'])
    .where('org_id', '=', orgId)
    .where('role_changes', '>', 0)
    .limit(1)
    .executeTakeFirst();
/** Leaves the changes that came meanwhile. */
export const clearDueGroup = (tx: Tx, id: string, changes: number) =>
  raw`update scim_groups set role_changes = role_changes - ${changes} where id = ${id}`.execute(tx);

/** A user whose role has to follow their groups. */
export const findDue = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('scim_users')
    .select('id')
    .where('org_id', '=', orgId)
    .where('is_role_due', '=', true)
    .limit(1)
    .executeTakeFirst();
export const clearDue = (tx: Tx, id: string) =>
  tx.updateTable('scim_users').set({ is_role_due: false }).where('id', '=', id).execute();

/** The role that the groups of a user give: an admin role before others, then that of the oldest group. */
export const findGroupRole = async (sql: Db, userId: string): Promise<RoleId | undefined> =>
  (
    await sql
      .selectFrom('scim_group_members')
      .innerJoin('scim_groups', 'scim_groups.id', 'group_id')
      .innerJoin('roles', 'roles.id', 'scim_groups.role_id')
      .select('roles.id')
      .where('scim_user_id', '=', userId)
      .orderBy('roles.is_admin', 'desc')
      .orderBy('scim_groups.created_at')
      .orderBy('scim_groups.id')
      .limit(1)
      .executeTakeFirst()
  )?.id;
