import type { UserId } from '#contract/wire.ts';
import { claim } from '#server/db/constraints.ts';
import type { Db, Tx } from '#server/db/connect.ts';

/** The address that waits for its proof. */
export const findPending = (sql: Db, userId: UserId) =>
  sql
    .selectFrom('pending_emails')
    .select(['email', 'mailed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Lets an address wait, in place of the one that waited. */
export const storePending = (tx: Tx, userId: UserId, email: string, now: Date) => {
  const row = { email, created_at: now, mailed_at: now };
  return tx
    .insertInto('pending_emails')
    .values({ ...row, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
};

/** Notes that the link is asked for again; false when that was done since then already. */
export async function touchPending(tx: Tx, userId: UserId, now: Date, lastBefore: Date): Promise<boolean> {
  const row = await tx
    .updateTable('pending_emails')
    .set({ mailed_at: now })
    .where('user_id', '=', userId)
    .where('mailed_at', '<=', lastBefore)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets go of the address that waits; returns which it was. */
export const deletePending = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('pending_emails').where('user_id', '=', userId).returning('email').executeTakeFirst();

/** Gives the person an address whose mailbox they have proven; of two who claim it at once one gets it. */
export const moveToAddress = (tx: Tx, userId: UserId, email: string, now: Date) =>
  claim(
    'users_email_key',
    tx.updateTable('users').set({ email, confirmed_at: now }).where('id', '=', userId).execute(),
  );

/** Takes an address away from an account that never proved it; returns whose it was. */
export const takeUnproven = (tx: Tx, email: string) =>
  tx
    .updateTable('users')
    .set({ email: null })
    .where('email', '=', email)
    .where('confirmed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
