import { MEMBER_STATUS } from '#contract/members.ts';
import { MEMBERS_IN_INIT_MAX } from '#contract/limits.ts';
import type { MemberId, OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';

/** The person's active membership in an organization, or in their default one (else the oldest), as it is now. */
export const findStanding = (sql: Db, userId: UserId, orgId: OrgId | undefined) =>
  sql
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select([
      'memberships.org_id as orgId',
      'memberships.id as memberId',
      'roles.id as roleId',
      'roles.is_admin as isAdmin',
    ])
    .where('memberships.user_id', '=', userId)
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .$if(orgId !== undefined, (query) => query.where('memberships.org_id', '=', orgId as OrgId))
    .orderBy('memberships.is_default', 'desc')
    .orderBy('memberships.id')
    .limit(1)
    .executeTakeFirst();

export type NewMember = {
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

/** A scheduled deletion sets the person's active memberships Inactive and marks them; what is closed or waits stays as it is. */
export const pauseMemberships = (tx: Tx, userId: UserId, at: Date) =>
  tx
    .updateTable('memberships')
    .set({ status: MEMBER_STATUS.inactive, paused_at: at })
    .where('user_id', '=', userId)
    .where('status', '=', MEMBER_STATUS.active)
    .execute();

/** What a scheduled deletion paused and is Inactive still, in the order in which organizations are locked. */
export const listPausedMemberships = (tx: Tx, userId: UserId, at: Date) =>
  tx
    .selectFrom('memberships')
    .select(['id', 'org_id'])
    .where('user_id', '=', userId)
    .where('paused_at', '=', at)
    .where('status', '=', MEMBER_STATUS.inactive)
    .orderBy('org_id')
    .execute();

export const resumeMembership = (tx: Tx, memberId: MemberId) =>
  tx
    .updateTable('memberships')
    .set({ status: MEMBER_STATUS.active, paused_at: null })
    .where('id', '=', memberId)
    .where('status', '=', MEMBER_STATUS.inactive)
    .execute();

/** Whether an organization has a free seat, of which all but Inactive members hold one; it is locked first, so that nobody else takes it meanwhile. */
export async function hasFreeSeat(tx: Tx, orgId: OrgId, most: number): Promise<boolean> {
  await tx.selectFrom('organizations').select('id').where('id', '=', orgId).forUpdate().execute();
  const { taken } = await tx
    .selectFrom('memberships')
    .select((query) => query.fn.countAll<number>().as('taken'))
    .where('org_id', '=', orgId)
    .where('status', '<>', MEMBER_STATUS.inactive)
    .executeTakeFirstOrThrow();
  return taken < most;
}

/** The first members by the time they came; one person's row alone when `only` names them. */
export async function listMembers(sql: Db, orgId: OrgId, only?: UserId) {
  const rows = await sql
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['memberships.id', 'memberships.user_id as userId', 'memberships.first_name as firstName'])
    .select(['memberships.last_name as lastName', 'memberships.designation', 'memberships.status'])
    .select([
      'memberships.role_id as roleId',
      'memberships.invitation_expires_at',
      'users.email',
      'roles.name as role',
    ])
    .where('memberships.org_id', '=', orgId)
    .$if(only !== undefined, (query) => query.where('memberships.user_id', '=', only as UserId))
    .orderBy('memberships.id')
    .limit(MEMBERS_IN_INIT_MAX)
    .execute();
  return rows.map(({ invitation_expires_at: expires, ...row }) =>
    expires && row.status === MEMBER_STATUS.invited
      ? Object.assign(row, { invitationExpires: expires })
      : row,
  );
}

/** A person's own profile edit reaches all their memberships. */
export const renameMemberships = (
  tx: Tx,
  userId: UserId,
  names: { first_name?: string; last_name?: string; designation?: string },
) => tx.updateTable('memberships').set(names).where('user_id', '=', userId).execute();
