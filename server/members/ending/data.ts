import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, UserId } from '#contract/wire.ts';
import type { Tx } from '#server/db/connect.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import { wakeAfterCommit } from '#server/waking.ts';

/** Ends a membership with its mailed links. The person's oldest active one replaces an ended default. */
export async function deleteMember(tx: Tx, member: { readonly id: MemberId; readonly userId: UserId }) {
  await lockUser(tx, member.userId);
  wakeAfterCommit(tx);
  const membership = await tx
    .deleteFrom('memberships')
    .where('id', '=', member.id)
    .returning('is_default')
    .executeTakeFirst();
  if (!membership?.is_default) return;
  const oldest = tx
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', member.userId)
    .where('status', '=', MEMBER_STATUS.active)
    .orderBy('id')
    .limit(1);
  await tx.updateTable('memberships').set({ is_default: true }).where('id', '=', oldest).execute();
}
