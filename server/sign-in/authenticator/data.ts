import type { UserId } from '#contract/wire.ts';
import type { Tx } from '#server/db/connect.ts';

type NewApp = {
  readonly userId: UserId;
  readonly secret: Uint8Array;
  readonly step: number;
  readonly now: Date;
};
/** Sets up the person's app in place of an earlier one. The setup has used the code of `step`. */
export function storeApp(tx: Tx, { userId, secret, step, now }: NewApp) {
  const row = { secret, last_step: step, created_at: now, last_used_at: null };
  return tx
    .insertInto('authenticator_apps')
    .values({ ...row, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

export const deleteApp = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('authenticator_apps').where('user_id', '=', userId).returning('user_id').executeTakeFirst();
