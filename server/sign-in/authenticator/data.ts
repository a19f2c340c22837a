import type { UserId } from '#contract/wire.ts';
import type { Tx } from '#server/db/connect.ts';
import type { NewRow } from '#server/db/tables.ts';

/** Sets up the person's app in place of an earlier one. */
export const storeApp = (tx: Tx, row: NewRow<'authenticator_apps'>) =>
  tx
    .insertInto('authenticator_apps')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();

export const deleteApp = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('authenticator_apps').where('user_id', '=', userId).returning('user_id').executeTakeFirst();
