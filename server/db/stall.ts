import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const AGAIN_MS = 250;

/**
 * Keeps the next ones from a wait that was in vain before: it begins once a commit was not answered, as without the only
 * synchronous standby, and is on until `isAnswered`, which must not throw, says that one is.
 */
export function stall(isAnswered: () => Promise<boolean>, againMs = AGAIN_MS) {
  let isOn = false;
  const untilAnswered = async () => {
    while (!(await isAnswered())) await pause(againMs, undefined, { ref: false });
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

/** Each commit waits for the standby for a moment; one that has for a second waits in vain. */
const IS_WAITING = `select exists (select 1 from pg_stat_activity
  where usename = current_user and datname = current_database() and wait_event = 'SyncRep'
    and query_start < clock_timestamp() - interval '1 second') as waiting`;
/** Writes to the log of the database and to no table. */
const EMPTY_CHANGE = `select pg_logical_emit_message(true, 'portico', '')`;

/**
 * Whether a commit is answered, tried on a connection that nobody had before: one that lay idle may be dead. While one of
 * ours hangs none is tried, which would keep a connection of the database for as long, too.
 */
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
    // Where this very statement may not be asked, whoever changes something finds out.
    return error instanceof pg.DatabaseError && (error.code ?? '').startsWith('42');
  } finally {
    void client.end();
  }
}
