import { sql } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { wordsInColumns, type MemberWords } from '#server/members/rules.ts';

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
const invited = [
  sql<boolean>`(select ${isOpened} from users where users.id = memberships.user_id)`.as('hasOpenedAccount'),
  sql<string | null>`coalesce((select language from users where users.id = memberships.user_id),
    invitation_language)`.as('language'),
] as const;

type NewInvitation = MemberWords & {
  readonly orgId: OrgId;
  readonly userId: UserId;
  readonly roleId: RoleId;
  /** Null for both: a company directory invites, for as long as it knows the person. */
  readonly invitedBy: UserId | null;
  readonly expiresAt: Date | null;
  readonly language: string | null;
  readonly now: Date;
};

/** Says as well whether the person has ever opened their account, and the language of their mail. */
export async function upsertInvitation(tx: Tx, invitation: NewInvitation) {
  const [row] = await invitationUpsert(tx, invitation);
  if (!row) throw new Error('the invitation was not added');
  return row;
}
const invitationUpsert = prepared((tx, invitation: NewInvitation) => {
  const terms = {
    role_id: invitation.roleId,
    ...wordsInColumns(invitation),
    invited_by: invitation.invitedBy,
    invitation_expires_at: invitation.expiresAt,
    invitation_language: invitation.language,
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
    .returning(['id', ...invited]);
});

export const prolongInvitation = (tx: Tx, memberId: MemberId, invitedBy: UserId, expiresAt: Date | null) =>
  tx
    .updateTable('memberships')
    .set({ invited_by: invitedBy, invitation_expires_at: expiresAt })
    .where('id', '=', memberId)
    .returning(invited)
    .executeTakeFirstOrThrow();
