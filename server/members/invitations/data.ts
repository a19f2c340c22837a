import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { columnsOf, type MemberWords } from '#server/members/rules.ts';

/** Whether the account was ever opened: its address is confirmed, or it has a password or a provider. */
export const hasOpenedAccount = async (sql: Db, userId: UserId) =>
  (await openedAccountOf(sql, { userId })).length > 0;
const openedAccountOf = prepared((sql, { userId }: { readonly userId: UserId }) =>
  sql
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where((row) =>
      row.or([
        row('confirmed_at', 'is not', null),
        row.exists(row.selectFrom('passwords').select('user_id').whereRef('user_id', '=', 'users.id')),
        row.exists(
          row.selectFrom('social_identities').select('user_id').whereRef('user_id', '=', 'users.id'),
        ),
      ]),
    ),
);

type NewInvitation = MemberWords & {
  readonly orgId: OrgId;
  readonly userId: UserId;
  readonly roleId: RoleId;
  readonly invitedBy: UserId;
  readonly expiresAt: Date;
  readonly now: Date;
};

export async function upsertInvitation(tx: Tx, invitation: NewInvitation): Promise<MemberId> {
  const [row] = await invitationUpsert(tx, invitation);
  if (!row) throw new Error('the invitation was not added');
  return row.id;
}
const invitationUpsert = prepared((tx, invitation: NewInvitation) => {
  const terms = {
    role_id: invitation.roleId,
    ...columnsOf(invitation),
    invited_by: invitation.invitedBy,
    invitation_expires_at: invitation.expiresAt,
  };
  return tx
    .insertInto('memberships')
    .values({
      ...terms,
      org_id: invitation.orgId,
      user_id: invitation.userId,
      status: MEMBER_STATUS.invited,
      created_at: invitation.now,
    })
    .onConflict((conflict) =>
      conflict
        .constraint('memberships_user_key')
        // The person may have changed their address since the earlier invitation.
        .doUpdateSet((row) => ({ ...terms, email_key: row.ref('excluded.email_key') })),
    )
    .returning('id');
});

export const prolongInvitation = (tx: Tx, memberId: MemberId, invitedBy: UserId, expiresAt: Date) =>
  tx
    .updateTable('memberships')
    .set({ invited_by: invitedBy, invitation_expires_at: expiresAt })
    .where('id', '=', memberId)
    .execute();
