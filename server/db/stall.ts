import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const RETRY_MS = 250;

/** Begins with the first commit that got no answer and ends once `isAnswered`, which must not throw, returns true. */
export function stall(isAnswered: () => Promise<boolean>, retryMs = RETRY_MS) {
  let isOn = false;
  const untilAnswered = async () => {
    while (!(await isAnswered())) await pause(retryMs, undefined, { ref: false });
    isOn = false;
  };
  return {
    isOn: () => isOn,
    begin: () => {
      if (isOn) return;
      isOn = true;
      void untilAnswered();
    },
  };
}

/** A commit that has waited for the standby for a second hangs; every commit waits for it briefly. */
const IS_WAITING = `select exists (select 1 from pg_stat_activity
  where usename = current_user and datname = current_database() and wait_event = 'SyncRep'
    and query_start < clock_timestamp() - interval '1 second') as waiting`;
/** Writes to the write-ahead log and to no table. */
const EMPTY_CHANGE = `select pg_logical_emit_message(true, 'portico', '')`;

/** On a new connection, because an idle one may be dead; not while another commit of ours hangs. */
export async function isCommitAnswered(options: pg.PoolConfig): Promise<boolean> {
  const client = new pg.Client(options);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ waiting: boolean }>(IS_WAITING);
    if (rows[0]?.waiting) return false;
    await client.query(EMPTY_CHANGE);
    return true;
  } catch (error) {
    // This database role may not run the test, so the next change must show whether commits are answered.
    return error instanceof pg.DatabaseError && (error.code ?? '').startsWith('42');
  } finally {
    void client.end();
  }
}
