import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { SECOND_MS } from '#server/clock.ts';
import { lockedHere } from '#server/testing/databases.ts';
import { confirmed } from '#server/testing/people.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { startApp } from '#server/testing/start-app.ts';

test('whoever reads goes on while nothing can be written, and waits for it once', async () => {
  // Whoever waits for a table is told after a second, as people are.
  const app = await startApp({}, '/nowhere', 1);
  onTestFinished(() => app.close());
  const people = [await confirmed(app), await confirmed(app), await confirmed(app)];
  app.clock.forward(61 * SECOND_MS);
  const waiting = sql`select pid from pg_locks where not granted and relation = 'sessions'::regclass
    and ${lockedHere}`;
  const queries = await queriesOf(() =>
    app.deps.sql.transaction().execute(async (holder) => {
      await sql`lock table sessions in exclusive mode`.execute(holder);
      for (const { visitor } of [...people, ...people])
        expect((await visitor.get('/api/user')).status).toBe(200);
      // The note waits for longer than they did: until it is told that the table is locked.
      await expect.poll(async () => (await waiting.execute(holder)).rows, { timeout: 5000 }).toEqual([]);
    }),
  );
  expect(queries.filter(({ text }) => text.startsWith('update "sessions"'))).toHaveLength(1);
});
