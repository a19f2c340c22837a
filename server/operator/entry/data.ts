import type { SessionId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';

export const findStay = (sql: Db, sessionId: SessionId) =>
  sql
    .selectFrom('desk_sessions')
    .innerJoin('operators', 'operators.user_id', 'desk_sessions.operator_id')
    .select(['level', 'operator_id', 'opened_at', 'seen_at', 'proven_at'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
/** The same, locked until the end of the transaction, so that level and stay outlast the act. */
export const lockStay = (tx: Tx, sessionId: SessionId) =>
  tx
    .selectFrom('desk_sessions')
    .innerJoin('operators', 'operators.user_id', 'desk_sessions.operator_id')
    .select(['level', 'operator_id', 'opened_at', 'seen_at', 'proven_at'])
    .where('session_id', '=', sessionId)
    .forUpdate('desk_sessions')
    .forShare('operators')
    .executeTakeFirst();

type Stay = {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly openedAt: Date;
  readonly now: Date;
};
export const saveStay = (tx: Tx, { sessionId, userId, openedAt, now }: Stay) => {
  const times = { opened_at: openedAt, seen_at: now, proven_at: now };
  return tx
    .insertInto('desk_sessions')
    .values({ session_id: sessionId, operator_id: userId, ...times })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(times))
    .execute();
};
export const touchStay = (tx: Tx, sessionId: SessionId, now: Date) =>
  tx.updateTable('desk_sessions').set({ seen_at: now }).where('session_id', '=', sessionId).execute();
export const endStay = (tx: Tx, sessionId: SessionId) =>
  tx.deleteFrom('desk_sessions').where('session_id', '=', sessionId).execute();
