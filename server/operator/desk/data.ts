import { sql as raw } from 'kysely';
import type { UserId } from '#contract/wire.ts';
import { DAY_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { NewRow } from '#server/db/tables.ts';

/** Returns its id, or undefined if the same act on the same person waits already. */
export async function insertRequest(tx: Tx, request: NewRow<'desk_requests'>) {
  const added = await tx
    .insertInto('desk_requests')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id;
}

/** Removes those that nobody answered within a day. */
export const deleteExpired = (tx: Tx, now: Date) =>
  tx
    .deleteFrom('desk_requests')
    .where('due_at', 'is', null)
    .where('asked_at', '<=', new Date(now.getTime() - DAY_MS))
    .execute();
/** Takes a request away; false if it is gone. Of two that answer it, one does. */
export const takeRequest = async (tx: Tx, id: number) =>
  (await tx.deleteFrom('desk_requests').where('id', '=', id).returning('id').executeTakeFirst()) !==
  undefined;

/** Whether the person used the link of a mail that says "This wasn't me". */
export const wasStoppedSince = async (sql: Db, userId: UserId, since: Date) =>
  (await sql
    .selectFrom('activity')
    .select('id')
    .where('user_id', '=', userId)
    .where('org_id', 'is', null)
    .where('created_at', '>=', since)
    .where(raw<boolean>`information->>'reported' = 'true'`)
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const wasToldOfLook = async (sql: Db, userId: UserId, since: Date) =>
  (await sql
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', 'operator_looked')
    .where('created_at', '>', since)
    .limit(1)
    .executeTakeFirst()) !== undefined;
