import { type Expression, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { rankOf } from '#contract/authority.ts';
import { MEMBERS_IN_INIT_MAX } from '#contract/limits.ts';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members.ts';
import type { MemberId, OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

/**
 * Holds the organization until the transaction ends, its name where it is there. Whoever changes who belongs to it or as
 * what does this first: the order of locks is organization, role, person, member, audit chain. Rows that only refer to
 * the organization are not held up.
 */
export const lockOrganization = async (tx: Tx, orgId: OrgId) => (await organizationHeld(tx, { orgId })).at(0);
const organizationHeld = prepared((tx, { orgId }: { readonly orgId: OrgId }) =>
  tx
    .selectFrom('organizations')
    .select(['name', 'url_name as urlName'])
    .where('id', '=', orgId)
    .forNoKeyUpdate(),
);

/** Holds the person: of two organizations at once only one becomes their default, and a name is theirs or an admin's. */
export const lockPerson = (tx: Tx, userId: UserId) =>
  tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();

/** The address an organization knows of a member: the person's own, but of an invitation the one that was typed. */
const knownEmail = sql<string | null>`nullif(memberships.email_key, '')`.as('email');

type Belonging = { readonly orgId: OrgId; readonly userId: UserId };
const membershipOf = prepared((sql, { orgId, userId }: Belonging) =>
  sql
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select([
      'memberships.id',
      'memberships.user_id as userId',
      'memberships.first_name as firstName',
      'memberships.last_name as lastName',
      'memberships.designation',
      'memberships.status',
      'memberships.role_id as roleId',
      'memberships.invitation_expires_at as invitationExpires',
      knownEmail,
      'roles.name as role',
      'roles.is_admin as isAdmin',
    ])
    .where('memberships.org_id', '=', orgId)
    .where('memberships.user_id', '=', userId),
);
/** A membership as changes to it need it. */
export async function findMember(sql: Db, orgId: OrgId, userId: UserId) {
  const [row] = await membershipOf(sql, { orgId, userId });
  return row && { ...row, rank: rankOf({ name: row.role, isAdmin: row.isAdmin }) };
}

/**
 * The organization's active Super Admins; asked under its lock where a change hangs on it. Who has asked for the deletion
 * of their account is none: they can't act, whatever an admin made of their membership since.
 */
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

/** Whether somebody else is left in the organization: active, paused or invited. Whom it has disabled does not count. */
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
/** How many seats are taken: all but Inactive members hold one. Triggers count them; there are few rows to add up. */
export const countSeats = async (sql: Db, orgId: OrgId) => (await seatsOf(sql, { orgId })).at(0)?.count ?? 0;

type NewMember = {
  readonly orgId: OrgId;
  readonly userId: UserId;
  readonly roleId: RoleId;
  readonly firstName: string;
  readonly lastName: string;
  readonly designation: string;
  readonly isDefault: boolean;
  readonly createdAt: Date;
};

export const insertActiveMember = (tx: Tx, member: NewMember) =>
  tx
    .insertInto('memberships')
    .values({
      org_id: member.orgId,
      user_id: member.userId,
      role_id: member.roleId,
      status: MEMBER_STATUS.active,
      first_name: member.firstName,
      last_name: member.lastName,
      designation: member.designation,
      is_default: member.isDefault,
      created_at: member.createdAt,
      invited_by: null,
      invitation_expires_at: null,
    })
    .execute();

type MemberPatch = {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly designation?: string;
  readonly role_id?: RoleId;
  readonly status?: MemberStatus;
  readonly invited_by?: UserId;
  readonly paused_at?: null;
};
export const updateMember = (tx: Tx, memberId: MemberId, patch: MemberPatch) =>
  tx.updateTable('memberships').set(patch).where('id', '=', memberId).execute();

/** Ends a membership; what was mailed for it goes with it. Where it was the person's default, their oldest one is. */
export async function deleteMember(tx: Tx, member: { readonly id: MemberId; readonly userId: UserId }) {
  await lockPerson(tx, member.userId);
  const gone = await tx
    .deleteFrom('memberships')
    .where('id', '=', member.id)
    .returning('is_default')
    .executeTakeFirst();
  if (!gone?.is_default) return;
  const oldest = tx
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', member.userId)
    .where('status', '=', MEMBER_STATUS.active)
    .orderBy('id')
    .limit(1);
  await tx.updateTable('memberships').set({ is_default: true }).where('id', '=', oldest).execute();
}

/**
 * Members as the area shows them. Each role is looked up for its member: joined, the planner would rather read all roles
 * there are, or an organization's members from one end to the other, than fifty rows by their ids.
 */
export const shownMembers = (sql: Db) =>
  sql
    .selectFrom('memberships')
    .select(['memberships.id', 'memberships.user_id as userId', 'memberships.first_name as firstName'])
    .select(['memberships.last_name as lastName', 'memberships.designation', 'memberships.status'])
    .select(['memberships.role_id as roleId', knownEmail])
    .select((member) =>
      // An expiry shows only while the invitation waits.
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
    );

/** Rows as one value, a list: fifty with eleven columns each take the driver longer than all else in a call. */
export const inOneValue = <Row>(rows: Expression<Row>) => jsonArrayFrom(rows);

type ShownRow = Awaited<ReturnType<typeof membersOf>>[number]['members'][number];
export const toMember = (row: ShownRow) =>
  row.expires === null ? row : Object.assign(row, { invitationExpires: new Date(row.expires) });

type Shown = { readonly orgId: OrgId; readonly only?: UserId | undefined };
const membersOf = prepared((sql, { orgId, only }: Shown, which: 'all' | 'one') => {
  const found = shownMembers(sql)
    .where('memberships.org_id', '=', orgId)
    .$if(which === 'one', (query) => query.where('memberships.user_id', '=', only as UserId))
    .orderBy('memberships.id')
    .limit(MEMBERS_IN_INIT_MAX);
  return sql.selectNoFrom(inOneValue(found).as('members'));
});
/** The first members by the time they came; one person's row alone when `only` names them. */
export async function listMembers(sql: Db, orgId: OrgId, only?: UserId) {
  const [shown] = await membersOf(sql, { orgId, only }, only === undefined ? 'all' : 'one');
  return shown?.members.map(toMember) ?? [];
}

/** One member as the area shows them, after a change. */
export async function getMember(sql: Db, orgId: OrgId, userId: UserId) {
  const [member] = await listMembers(sql, orgId, userId);
  if (!member) throw new Error('the member is gone');
  return member;
}

/** What a person is called where they belong; of an invitation that is the inviter's word, and stays it. */
export const listNames = (tx: Tx, userId: UserId) =>
  tx
    .selectFrom('memberships')
    .select(['org_id', 'first_name', 'last_name', 'designation'])
    .where('user_id', '=', userId)
    .where('status', '<>', MEMBER_STATUS.invited)
    .orderBy('org_id')
    .execute();

export const renameMemberships = (
  tx: Tx,
  userId: UserId,
  names: { first_name?: string; last_name?: string; designation?: string },
) =>
  tx
    .updateTable('memberships')
    .set(names)
    .where('user_id', '=', userId)
    .where('status', '<>', MEMBER_STATUS.invited)
    .execute();

/** Gives everybody who holds or was invited with one role another; returns who they are. */
export const moveMembers = (tx: Tx, orgId: OrgId, from: RoleId, to: RoleId) =>
  tx
    .updateTable('memberships')
    .set({ role_id: to })
    .where('org_id', '=', orgId)
    .where('role_id', '=', from)
    .returning(['user_id as userId', 'status'])
    .execute();

/** Those of the people who have a role in the organization, with the addresses of their accounts. */
export const listAddresses = (sql: Db, orgId: OrgId, roleId: RoleId, userIds: readonly UserId[]) =>
  sql
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id as userId', 'users.email'])
    .where('org_id', '=', orgId)
    .where('role_id', '=', roleId)
    .where('user_id', 'in', userIds)
    .execute();

/** Makes this organization the person's default; false where it was already. */
export async function makeDefault(tx: Tx, userId: UserId, orgId: OrgId): Promise<boolean> {
  await lockPerson(tx, userId);
  const mine = tx.updateTable('memberships').where('user_id', '=', userId);
  await mine.set({ is_default: false }).where('is_default', '=', true).where('org_id', '<>', orgId).execute();
  const { numUpdatedRows } = await mine
    .set({ is_default: true })
    .where('is_default', '=', false)
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}
