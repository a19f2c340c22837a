// The rows of memberships: every other feature reads and writes members through these queries.
import { type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { rankOf } from '#contract/members/authority.ts';
import { MEMBERS_IN_INIT_MAX } from '#contract/limits.ts';
import { MEMBER_STATUS, memberColumns, type MemberStatus } from '#contract/members/calls.ts';
import type { MemberId, OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Tables, NewRow } from '#server/db/tables.ts';
import { holdOn, moveRoleOfDirectory, moveRoleOfDomains } from './data-company.ts';
import { partsOf, type MemberColumn } from './rules.ts';
import { hasNoDefault } from '#server/members/standing/data.ts';
import { invitationOf, invitedId } from '#server/stand-in.ts';
import { wakeAfterCommit } from '#server/waking.ts';

/** Every change of members or roles does this first. Locks: organization, role, person, member, chain of the log. */
export const lockOrganization = async (tx: Tx, orgId: OrgId) =>
  (await organizationForUpdate(tx, { orgId })).at(0);
const organizationForUpdate = prepared((tx, { orgId }: { readonly orgId: OrgId }) =>
  tx
    .selectFrom('organizations')
    .select(['name', 'url_name as urlName', 'language'])
    .where('id', '=', orgId)
    .forNoKeyUpdate(),
);

/** The address an organization knows: a member's current one, or the one that an invitation was sent to. */
const knownEmail = sql<string | null>`nullif(memberships.email_key, '')`.as('email');

/** Columns that do not describe the person. The compiler asks for a new column here or in `memberColumns`. */
type Bookkeeping =
  | ('id' | 'org_id' | 'user_id' | 'role_id' | 'status' | 'is_default' | 'paused_at' | 'created_at')
  | ('invited_by' | 'invitation_expires_at' | 'invitation_language' | 'name_key' | 'last_key' | 'email_key');
const columns: Record<Exclude<keyof Tables['memberships'], Bookkeeping>, string> = memberColumns;
type Word = { [C in MemberColumn]: `memberships.${C} as ${(typeof memberColumns)[C]}` }[MemberColumn];
const words = Object.entries(columns).map(([column, name]) => `memberships.${column} as ${name}` as Word);
const membershipsWithRole = (sql: Db) =>
  sql
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['memberships.id', 'memberships.user_id as userId', 'memberships.status', knownEmail])
    .select('memberships.invitation_expires_at as invitationExpires')
    .select(['memberships.role_id as roleId', 'roles.name as role', 'roles.is_admin as isAdmin'])
    .select(words);
type MembershipRow = Awaited<ReturnType<ReturnType<typeof membershipsWithRole>['execute']>>[number];
const withRank = (row: MembershipRow) =>
  Object.assign(row, { rank: rankOf({ name: row.role, isAdmin: row.isAdmin }) });

const membershipOf = prepared((sql, { orgId, userId }: { readonly orgId: OrgId; readonly userId: UserId }) =>
  membershipsWithRole(sql).where('memberships.org_id', '=', orgId).where('memberships.user_id', '=', userId),
);
export async function findMember(sql: Db, orgId: OrgId, userId: UserId) {
  const [row] = await membershipOf(sql, { orgId, userId });
  return row && withRank(row);
}

/** The person's membership, else an open invitation to this address, even if the invited person has left it. */
export async function findMemberOrInvited(sql: Db, orgId: OrgId, userId: UserId, email: string) {
  const row = await membershipsWithRole(sql)
    .where('memberships.org_id', '=', orgId)
    .where((row) =>
      row.or([
        row('user_id', '=', userId),
        row.and([row('email_key', '=', email), row('status', '=', MEMBER_STATUS.invited)]),
      ]),
    )
    .orderBy((row) => row('memberships.user_id', '=', userId), 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && withRank(row);
}

/** The person with the id that pages show: their own, or their invitation's until they join. */
export async function findShownUserId(sql: Db, orgId: OrgId, shownId: UserId): Promise<UserId | undefined> {
  const id = invitationOf(shownId);
  if (id === undefined) return shownId;
  const invitation = sql.selectFrom('memberships').select('user_id').where('id', '=', id);
  return (await invitation.where('org_id', '=', orgId).executeTakeFirst())?.user_id;
}

/** The member with the id that pages show. A person's own id finds nobody until they join. */
export async function findShownMember(sql: Db, orgId: OrgId, shownId: UserId) {
  const userId = await findShownUserId(sql, orgId, shownId);
  const member = userId && (await findMember(sql, orgId, userId));
  const isHidden = member?.status === MEMBER_STATUS.invited && userId === shownId;
  return isHidden ? undefined : member;
}

export async function hasOthers(sql: Db, orgId: OrgId, userId: UserId): Promise<boolean> {
  const other = await sql
    .selectFrom('memberships')
    .select('id')
    .where('org_id', '=', orgId)
    .where('user_id', '<>', userId)
    .where('status', '<>', MEMBER_STATUS.disabled)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

const seatsOf = prepared((sql, { orgId }: { readonly orgId: OrgId }) =>
  sql
    .selectFrom('member_counts')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('members'), row.lit(0)).as('count'))
    .where('org_id', '=', orgId)
    .where('status', '<>', MEMBER_STATUS.inactive),
);
/** The seats in use: every member holds one unless Inactive. Triggers keep these counts. */
export const countSeats = async (sql: Db, orgId: OrgId) => (await seatsOf(sql, { orgId })).at(0)?.count ?? 0;

type NewMember = Omit<NewRow<'memberships'>, 'status' | 'is_default'>;
export const insertActiveMember = (tx: Tx, member: NewMember) =>
  tx
    .insertInto('memberships')
    .values({ ...member, status: MEMBER_STATUS.active, is_default: hasNoDefault(member.user_id) })
    .execute();

type MemberPatch = Partial<Record<MemberColumn, string>> & {
  readonly role_id?: RoleId;
  readonly status?: MemberStatus;
  readonly invited_by?: UserId | null;
  readonly paused_at?: null;
};
export async function updateMember(tx: Tx, memberId: MemberId, patch: MemberPatch): Promise<void> {
  await tx.updateTable('memberships').set(patch).where('id', '=', memberId).execute();
  const hasLeft = patch.status !== undefined && patch.status !== MEMBER_STATUS.active;
  if (hasLeft || patch.role_id !== undefined) wakeAfterCommit(tx);
}

/** The role is a subquery: for a join the planner would read all roles, or members, instead of fifty rows. */
export const shownMembers = (sql: Db) =>
  sql
    .selectFrom('memberships')
    .select(['memberships.id', 'memberships.user_id as userId', ...words, 'memberships.status'])
    .select(['memberships.role_id as roleId', knownEmail])
    .select((member) =>
      // The expiry shows only while the invitation is pending.
      member
        .case()
        .when('memberships.status', '=', MEMBER_STATUS.invited)
        .then(member.ref('memberships.invitation_expires_at'))
        .end()
        .as('expires'),
    )
    .select((member) =>
      member
        .selectFrom('roles')
        .select('roles.name')
        .whereRef('roles.id', '=', 'memberships.role_id')
        .$asScalar()
        .$notNull()
        .as('role'),
    )
    .select((member) => jsonObjectFrom(holdOn(sql, member.ref('memberships.id'))).as('hold'));

export type ShownRow = Awaited<ReturnType<typeof membersOf>>[number]['members'][number];
export const toMember = ({ hold, ...row }: ShownRow) =>
  Object.assign(row, {
    userId: row.status === MEMBER_STATUS.invited ? invitedId(row.id) : row.userId,
    ...(row.expires !== null && { invitationExpires: new Date(row.expires) }),
    ...(hold && { managed: partsOf(hold, row) }),
  });

type MembersKey = { readonly orgId: OrgId; readonly only?: UserId | undefined };
const membersOf = prepared((sql, { orgId, only }: MembersKey, which: 'all' | 'one') => {
  const page = shownMembers(sql)
    .where('memberships.org_id', '=', orgId)
    .$if(which === 'one', (query) => query.where('memberships.user_id', '=', only as UserId))
    .orderBy('memberships.id')
    .limit(MEMBERS_IN_INIT_MAX);
  // One JSON value, because reading fifty rows takes the driver longer than the rest of a call.
  return sql.selectNoFrom(jsonArrayFrom(page).as('members'));
});
export async function listMembers(sql: Db, orgId: OrgId, only?: UserId) {
  const [row] = await membersOf(sql, { orgId, only }, only === undefined ? 'all' : 'one');
  return row?.members.map(toMember) ?? [];
}

export async function getMember(sql: Db, orgId: OrgId, userId: UserId) {
  const [member] = await listMembers(sql, orgId, userId);
  if (!member) throw new Error('the member is gone');
  return member;
}

/** The memberships that take a person's own names. An invitation keeps the inviter's, a company directory its own. */
const named = (tx: Tx, userId: UserId) => (row: ExpressionBuilder<Tables, 'memberships'>) =>
  row.and([
    row('user_id', '=', userId),
    row('status', '<>', MEMBER_STATUS.invited),
    row.not(row.exists(holdOn(tx, row.ref('memberships.id')))),
  ]);
export const listNames = (tx: Tx, userId: UserId) =>
  tx
    .selectFrom('memberships')
    .select(['org_id', ...(Object.keys(memberColumns) as MemberColumn[])])
    .where(named(tx, userId))
    .orderBy('org_id')
    .execute();

export const renameMemberships = (tx: Tx, userId: UserId, names: Partial<Record<MemberColumn, string>>) =>
  tx.updateTable('memberships').set(names).where(named(tx, userId)).execute();

export async function moveMembers(tx: Tx, orgId: OrgId, from: RoleId, to: RoleId) {
  wakeAfterCommit(tx);
  await moveRoleOfDomains(tx, orgId, from, to);
  await moveRoleOfDirectory(tx, orgId, from, to);
  return tx
    .updateTable('memberships')
    .set({ role_id: to })
    .where('org_id', '=', orgId)
    .where('role_id', '=', from)
    .returning(['user_id as userId', 'status'])
    .execute();
}

export const listAddresses = (sql: Db, orgId: OrgId, roleId: RoleId, userIds: readonly UserId[]) =>
  sql
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id as userId', 'users.email'])
    .where('org_id', '=', orgId)
    .where('role_id', '=', roleId)
    .where('user_id', 'in', userIds)
    .execute();

/** Makes this organization the person's default. Returns false if it was already. */
export async function makeDefault(tx: Tx, userId: UserId, orgId: OrgId): Promise<boolean> {
  await lockUser(tx, userId);
  const memberships = tx.updateTable('memberships').where('user_id', '=', userId);
  await memberships
    .set({ is_default: false })
    .where('is_default', '=', true)
    .where('org_id', '<>', orgId)
    .execute();
  const { numUpdatedRows } = await memberships
    .set({ is_default: true })
    .where('is_default', '=', false)
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}
