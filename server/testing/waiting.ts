import { sql } from 'kysely';
import { expect } from 'vitest';
import { transaction, type Tx } from '#server/db/connect.ts';
import type { TestApp } from '#server/testing/start-app.ts';

/** Until something in the app's database waits for what somebody else holds; PostgreSQL only. */
async function untilOneWaits({ deps }: TestApp) {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await waiting.execute(deps.sql)).rows.length, { timeout: 20_000 })
    .toBeGreaterThan(0);
}

/** What comes of work that waits for what a transaction holds, after something else has happened in that one. */
export async function whileWaiting<T>(
  app: TestApp,
  hold: (tx: Tx) => Promise<unknown>,
  work: () => Promise<T>,
  happens: (tx: Tx) => Promise<unknown>,
): Promise<T> {
  const [waited] = await transaction(app.deps.sql, async (tx) => {
    await hold(tx);
    const done = work();
    await untilOneWaits(app);
    await happens(tx);
    // In a list, for a transaction that waited for it would never end.
    return [done] as const;
  });
  return waited;
}
