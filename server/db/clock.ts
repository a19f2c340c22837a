import { sql } from 'kysely';
import { type Clock, MINUTE_MS, systemClock } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';
import type { Log } from '#server/deps.ts';

type DatabaseClock = Clock & {
  /** Compares with the database once more; where it can't be asked, what is known goes on. */
  compare(): Promise<void>;
  stop(): void;
};

/**
 * The database's time, so that processes on machines whose clocks differ agree, on the day of an erasure above all. It
 * is asked now and every minute; in between the process counts by the clock that nobody can set.
 */
export async function followDatabase(
  database: Db,
  log: Log,
  count = () => performance.now(),
): Promise<DatabaseClock> {
  const ask = async () => {
    const asked = count();
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
    if (!rows[0]) throw new Error('the database told no time');
    // Told about half-way between question and answer.
    return rows[0].now.getTime() - (asked + count()) / 2;
  };
  let began = await ask();
  const compare = async () => {
    try {
      began = await ask();
    } catch (error) {
      log.warn({ reason: (error as Error).message }, "the database's time could not be asked for");
    }
  };
  const timer = setInterval(() => void compare(), MINUTE_MS).unref();
  return { now: () => new Date(began + count()), compare, stop: () => clearInterval(timer) };
}

/** The embedded database reads the clock of its process, so there is nothing to follow. */
export const ownClock: DatabaseClock = {
  ...systemClock,
  compare: async () => undefined,
  stop: () => undefined,
};
