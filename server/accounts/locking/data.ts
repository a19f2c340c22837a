import type { UserId } from '#contract/wire.ts';
import type { Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

/** Locks the row of a person until the transaction ends. Inserts of rows that refer to it do not wait. */
export const lockUser = (tx: Tx, userId: UserId) => userLocked(tx, { userId });
const userLocked = prepared((tx, { userId }: { readonly userId: UserId }) =>
  tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate(),
);

/** Locks people in the order of their ids, so that no new row can refer to them. */
export const lockUsers = (tx: Tx, userIds: readonly UserId[]) =>
  tx.selectFrom('users').select('id').where('id', 'in', userIds).orderBy('id').forUpdate().execute();
