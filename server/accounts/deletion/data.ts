import type { UserId } from '#contract/wire.ts';
import type { Tx } from '#server/db/connect.ts';

export type NewDeletion = {
  readonly userId: UserId;
  readonly reason: string;
  readonly requestedAt: Date;
  readonly dueAt: Date;
};

/** Deactivates the account; nothing comes back when it is deactivated already. */
export const insertDeletion = (tx: Tx, { userId, reason, requestedAt, dueAt }: NewDeletion) =>
  tx
    .insertInto('account_deletions')
    .values({ user_id: userId, reason, requested_at: requestedAt, due_at: dueAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('due_at')
    .executeTakeFirst();

export const getDeletion = (tx: Tx, userId: UserId) =>
  tx.selectFrom('account_deletions').select('due_at').where('user_id', '=', userId).executeTakeFirstOrThrow();

/** Cancels the deletion while its days last. */
export const deleteDeletion = (tx: Tx, userId: UserId, now: Date) =>
  tx
    .deleteFrom('account_deletions')
    .where('user_id', '=', userId)
    .where('due_at', '>', now)
    .returning(['requested_at', 'due_at'])
    .executeTakeFirst();
