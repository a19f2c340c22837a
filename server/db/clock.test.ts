import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { followDatabase } from './clock.ts';
import { openTestDatabase } from '#server/testing/databases.ts';
import { useServer } from '#server/testing/use-app.ts';

const database = useServer(() => openTestDatabase());

const warnings: string[] = [];
const log = {
  info: () => undefined,
  warn: (_: object, text: string) => void warnings.push(text),
  error: () => undefined,
};

/** A database whose clock shows what `answer` returns. */
const databaseAt = (answer: () => Date) =>
  database.sql.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async () => ({ rows: [{ now: answer() }] }),
  });

test('follows a database whose clock differs from the clock of this process', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-01-01T00:00:00Z') });
  const clock = await followDatabase(
    databaseAt(() => new Date('2020-05-05T05:05:05Z')),
    log,
    () => 777,
  );
  expect(clock.now()).toEqual(new Date('2020-05-05T05:05:05Z'));
  vi.setSystemTime(new Date('1999-01-01T00:00:00Z'));
  expect(clock.now()).toEqual(new Date('2020-05-05T05:05:05Z'));
  clock.stop();
  vi.useRealTimers();
});

test('takes an answer for the time in the middle of its round trip, and compares again every minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let [elapsed, databaseMs] = [5000, new Date('2020-05-05T05:05:05Z').getTime()];
  const clock = await followDatabase(
    databaseAt(() => {
      elapsed += 200;
      return new Date(databaseMs);
    }),
    log,
    () => elapsed,
  );
  expect(clock.now().getTime() - databaseMs).toBe(100);
  elapsed += 30 * SECOND_MS;
  expect(clock.now().getTime() - databaseMs).toBe(30_100);
  databaseMs += DAY_MS;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await expect.poll(() => clock.now().getTime() - databaseMs).toBe(100);
  clock.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('counts on while the database is away, and logs it', async () => {
  let isAway = false;
  const clock = await followDatabase(
    databaseAt(() => {
      if (isAway) throw new Error('no such host');
      return new Date(1_000_000);
    }),
    log,
    () => 0,
  );
  isAway = true;
  await clock.compare();
  expect(clock.now()).toEqual(new Date(1_000_000));
  expect(warnings.slice(-1)).toEqual(["the database's time could not be asked for"]);
  clock.stop();
});

test.for([
  [60, 0],
  [62, 1],
  [-62, 1],
] as const)('a database that is %d s off is %d lines at the start', async ([seconds, lines]) => {
  warnings.length = 0;
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-01-01T00:00:00Z') });
  const clock = await followDatabase(
    databaseAt(() => new Date(Date.parse('2031-01-01T00:00:00Z') + seconds * SECOND_MS)),
    log,
    () => 5,
  );
  vi.useRealTimers();
  clock.stop();
  expect(warnings.filter((text) => text.startsWith('the clock of this machine differs'))).toHaveLength(lines);
});

test('shows the time of the real database', async () => {
  const clock = await followDatabase(database.sql, log);
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.sql);
  expect(Math.abs(clock.now().getTime() - (rows[0]?.now.getTime() ?? 0))).toBeLessThan(5 * SECOND_MS);
  clock.stop();
});
