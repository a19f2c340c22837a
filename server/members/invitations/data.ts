import { sql } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { NewRow } from '#server/db/tables.ts';

/** Whether an account was ever opened: its address is confirmed, or it has a password or a provider. */
const isOpened = sql<boolean>`(users.confirmed_at is not null
  or exists (select from passwords where user_id = users.id)
  or exists (select from social_identities where user_id = users.id))`;

export const hasOpenedAccount = async (database: Db, userId: UserId) =>
  (await openedAccountOf(database, { userId })).length > 0;
const openedAccountOf = prepared((database, { userId }: { readonly userId: UserId }) =>
  database.selectFrom('users').select('id').where('id', '=', userId).where(isOpened),
);
/** The same for the person of an invitation that is written, and the language of their mail. */
const invitedColumns = [
  sql<boolean>`(select ${isOpened} from users where users.id = memberships.user_id)`.as('hasOpenedAccount'),
  sql<string | null>`coalesce((select language from users where users.id = memberships.user_id),
    invitation_language)`.as('language'),
] as const;

type NewInvitation = Omit<NewRow<'memberships'>, 'status'>;
/** Says as well whether the person has ever opened their account, and the language of their mail. */
export async function upsertInvitation(tx: Tx, invitation: NewInvitation) {
  const [row] = await invitationUpsert(tx, invitation);
  if (!row) throw new Error('the invitation was not added');
  return row;
}
const invitationUpsert = prepared((tx, invitation: NewInvitation) => {
  const { org_id: _org, user_id: _user, created_at: _time, ...terms } = invitation;
  return tx
    .insertInto('memberships')
    .values({ ...invitation, status: MEMBER_STATUS.invited })
    .onConflict((conflict) =>
      conflict
        .constraint('memberships_user_key')
        // The person may have changed their address since the earlier invitation.
        .doUpdateSet((row) => ({ ...terms, email_key: row.ref('excluded.email_key') })),
    )
    .returning(['id', ...invitedColumns]);
});

export const prolongInvitation = (tx: Tx, memberId: MemberId, invitedBy: UserId, expiresAt: Date | null) =>
  tx
    .updateTable('memberships')
    .set({ invited_by: invitedBy, invitation_expires_at: expiresAt })
    .where('id', '=', memberId)
    .returning(invitedColumns)
    .executeTakeFirstOrThrow();
