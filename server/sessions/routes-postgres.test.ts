import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { SECOND_MS } from '#server/clock.ts';
import { lockedHere } from '#server/testing/databases.ts';
import { confirmed } from '#server/testing/people.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { startApp } from '#server/testing/start-app.ts';

test('reads go on while nothing can be written, and wait for the write once', async () => {
  // Timeouts as in production: a lock wait fails after a second.
  const app = await startApp({}, '/nowhere', 1);
  onTestFinished(() => app.close());
  const people = [await confirmed(app), await confirmed(app), await confirmed(app)];
  app.clock.forward(61 * SECOND_MS);
  const waitingLocks = sql`select pid from pg_locks where not granted and relation = 'sessions'::regclass
    and ${lockedHere}`;
  const queries = await queriesOf(() =>
    app.deps.sql.transaction().execute(async (holder) => {
      await sql`lock table sessions in exclusive mode`.execute(holder);
      for (const { visitor } of [...people, ...people])
        expect((await visitor.get('/api/user')).status).toBe(200);
      // The UPDATE waits longer than the calls did, until its own lock timeout.
      await expect.poll(async () => (await waitingLocks.execute(holder)).rows, { timeout: 5000 }).toEqual([]);
    }),
  );
  expect(queries.filter(({ text }) => text.startsWith('update "sessions"'))).toHaveLength(1);
});
