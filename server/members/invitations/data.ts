import { MEMBER_STATUS } from '#contract/members.ts';
import type { MemberId, OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

/** Whether somebody ever opened the account: confirmed its address, or has a way in. */
export const hasCome = async (sql: Db, userId: UserId) => (await opened(sql, { userId })).length > 0;
const opened = prepared((sql, { userId }: { readonly userId: UserId }) =>
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

type NewInvitation = {
  readonly orgId: OrgId;
  readonly userId: UserId;
  readonly roleId: RoleId;
  readonly firstName: string;
  readonly lastName: string;
  readonly designation: string;
  readonly invitedBy: UserId;
  readonly expiresAt: Date;
  readonly now: Date;
};

/** Invites somebody, or invites them anew: what the invitation says counts. */
export async function insertInvited(tx: Tx, invitation: NewInvitation): Promise<MemberId> {
  const [row] = await invitedAdded(tx, invitation);
  if (!row) throw new Error('the invitation was not added');
  return row.id;
}
const invitedAdded = prepared((tx, invitation: NewInvitation) => {
  const said = {
    role_id: invitation.roleId,
    first_name: invitation.firstName,
    last_name: invitation.lastName,
    designation: invitation.designation,
    invited_by: invitation.invitedBy,
    invitation_expires_at: invitation.expiresAt,
  };
  return tx
    .insertInto('memberships')
    .values({
      ...said,
      org_id: invitation.orgId,
      user_id: invitation.userId,
      status: MEMBER_STATUS.invited,
      created_at: invitation.now,
    })
    .onConflict((conflict) =>
      conflict
        .constraint('memberships_user_key')
        // Under the address that was typed now, which may be another one of theirs.
        .doUpdateSet((row) => ({ ...said, email_key: row.ref('excluded.email_key') })),
    )
    .returning('id');
});

/** Lets an invitation run anew, in the name of whoever sends it again. */
export const prolongInvitation = (tx: Tx, memberId: MemberId, invitedBy: UserId, expiresAt: Date) =>
  tx
    .updateTable('memberships')
    .set({ invited_by: invitedBy, invitation_expires_at: expiresAt })
    .where('id', '=', memberId)
    .execute();
