import type { SessionId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { NewRow } from '#server/db/tables.ts';

const stays = (sql: Db, sessionId: SessionId) =>
  sql
    .selectFrom('desk_sessions')
    .innerJoin('operators', 'operators.user_id', 'desk_sessions.operator_id')
    .select(['level', 'operator_id', 'opened_at', 'seen_at', 'proven_at'])
    .where('session_id', '=', sessionId);

export const findStay = (sql: Db, sessionId: SessionId) => stays(sql, sessionId).executeTakeFirst();

/** The same, locked until the end of the transaction, so that level and stay outlast the act. */
export const lockStay = (tx: Tx, sessionId: SessionId) =>
  stays(tx, sessionId).forUpdate('desk_sessions').forShare('operators').executeTakeFirst();

export const saveStay = (tx: Tx, stay: NewRow<'desk_sessions'>) =>
  tx
    .insertInto('desk_sessions')
    .values(stay)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(stay))
    .execute();

export const touchStay = (tx: Tx, sessionId: SessionId, now: Date) =>
  tx.updateTable('desk_sessions').set({ seen_at: now }).where('session_id', '=', sessionId).execute();
export const endStay = (tx: Tx, sessionId: SessionId) =>
  tx.deleteFrom('desk_sessions').where('session_id', '=', sessionId).execute();
