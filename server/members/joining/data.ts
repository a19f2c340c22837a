import { sql } from 'kysely';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import type { MemberId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { sha256 } from '#server/keys.ts';
import { hasNoDefault } from '#server/members/standing/data.ts';

/** Invitations with everything that an answer depends on: link, membership, invited person and inviter. */
const invitations = (database: Db) =>
  database
    .selectFrom('one_time_tokens as token')
    .innerJoin('memberships as member', 'member.id', 'token.member_id')
    .innerJoin('organizations', 'organizations.id', 'member.org_id')
    .innerJoin('roles', 'roles.id', 'member.role_id')
    .innerJoin('users as person', 'person.id', 'member.user_id')
    .leftJoin('users as inviter', 'inviter.id', 'member.invited_by')
    .select(['token.id as tokenId', 'token.subject', 'token.expires_at as expiresAt'])
    .select(['token.created_at as mailedAt', 'person.confirmed_at as provenAt'])
    .select(['token.used_at as usedAt', 'member.id as memberId', 'member.status', 'member.user_id as userId'])
    .select(['member.org_id as orgId', 'member.role_id as roleId', 'member.invited_by as invitedBy'])
    .select(['organizations.name as organization', 'organizations.url_name as urlName', 'roles.name as role'])
    .select(['member.first_name as firstName', 'member.last_name as lastName'])
    .select(sql<string | null>`coalesce(person.language, member.invitation_language)`.as('language'))
    .select((row) =>
      row
        .exists(row.selectFrom('scim_users').select('id').whereRef('scim_users.member_id', '=', 'member.id'))
        .as('isOfDirectory'),
    )
    .select(['person.email', 'inviter.first_name', 'inviter.last_name', 'inviter.email as inviterEmail']);
export type Invitation = Awaited<ReturnType<typeof listPending>>[number];

/** By its mailed digest, even a used one, or by its membership. The latter finds the oldest unused link. */
export type InvitationKey = { readonly digest: string } | { readonly memberId: MemberId };
export const findInvitation = (database: Db, key: InvitationKey) =>
  'digest' in key
    ? invitations(database).where('token.token_hash', '=', sha256(key.digest)).executeTakeFirst()
    : invitations(database)
        .where('token.member_id', '=', key.memberId)
        .where('token.used_at', 'is', null)
        .orderBy('token.id')
        .executeTakeFirst();

/** The person's pending invitations, each with its oldest unused link. Later links are copies of it. */
export const listPending = (database: Db, userId: UserId) => pendingOf(database, { userId });
const pendingOf = prepared((database, { userId }: { readonly userId: UserId }) =>
  invitations(database)
    .where('member.user_id', '=', userId)
    .where('member.status', '=', MEMBER_STATUS.invited)
    .where((row) =>
      row(
        'token.id',
        '=',
        row
          .selectFrom('one_time_tokens as oldest')
          .select((query) => query.fn.min('oldest.id').as('id'))
          .whereRef('oldest.member_id', '=', 'member.id')
          .where('oldest.used_at', 'is', null),
      ),
    )
    .orderBy('token.id'),
);

/** Makes an invited person an active member. Their first organization becomes their default. */
export const activateMember = (tx: Tx, memberId: MemberId, userId: UserId) =>
  tx
    .updateTable('memberships')
    .set({
      status: MEMBER_STATUS.active,
      invitation_expires_at: null,
      is_default: hasNoDefault(userId),
    })
    .where('id', '=', memberId)
    .execute();

/** For a scheduled deletion: makes the person's active memberships Inactive and marks when. */
export const pauseMemberships = (tx: Tx, userId: UserId, at: Date) =>
  tx
    .updateTable('memberships')
    .set({ status: MEMBER_STATUS.inactive, paused_at: at })
    .where('user_id', '=', userId)
    .where('status', '=', MEMBER_STATUS.active)
    .returning('org_id as orgId')
    .execute();

/** Memberships that a scheduled deletion paused and that are still Inactive, in lock order. */
export const listPausedMemberships = (tx: Tx, userId: UserId, at: Date) =>
  tx
    .selectFrom('memberships')
    .select(['id', 'org_id'])
    .where('user_id', '=', userId)
    .where('paused_at', '=', at)
    .where('status', '=', MEMBER_STATUS.inactive)
    .orderBy('org_id')
    .execute();

/** Ends the pause of a membership. Returns false if the membership has changed since. */
export async function endPause(
  tx: Tx,
  memberId: MemberId,
  pausedAt: Date,
  status: MemberStatus,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('memberships')
    .set({ status, paused_at: null })
    .where('id', '=', memberId)
    .where('paused_at', '=', pausedAt)
    .where('status', '=', MEMBER_STATUS.inactive)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}
