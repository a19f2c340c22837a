import { sql } from 'kysely';
import { expect } from 'vitest';
import { transaction, type Tx } from '#server/db/connect.ts';
import type { TestApp } from './start-app.ts';

/** Waits until a connection of the app's database waits for a lock; PostgreSQL only. */
async function untilBlocked({ deps }: TestApp) {
  const waitingLocks = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await waitingLocks.execute(deps.sql)).rows.length, { timeout: 20_000 })
    .toBeGreaterThan(0);
}

/**
 * Runs `work` until it waits for a lock of `hold`, then `happens` in the holding transaction; returns the
 * result of `work`.
 */
export async function whileWaiting<T>(
  app: TestApp,
  lock: (tx: Tx) => Promise<unknown>,
  work: () => Promise<T>,
  act: (tx: Tx) => Promise<unknown>,
): Promise<T> {
  const [result] = await transaction(app.deps.sql, async (tx) => {
    await lock(tx);
    const running = work();
    await untilBlocked(app);
    await act(tx);
    // The promise is wrapped, because awaiting it inside the transaction would be a deadlock.
    return [running] as const;
  });
  return result;
}
