import { sql } from 'kysely';
import { type Clock, MINUTE_MS, SECOND_MS, systemClock } from '#server/clock.ts';
import type { Db } from './connect.ts';
import type { Log } from '#server/log.ts';
import { noteOutage } from '#server/outages.ts';

const CLOCK_OFF_MAX_SECONDS = 60;

type DatabaseClock = Clock & {
  /** Compares with the database again; keeps the old difference if the database is unreachable. */
  compare(): Promise<void>;
  stop(): void;
};

/** Processes agree although their machines' clocks differ. Read every minute; in between the monotonic clock counts. */
export async function followDatabase(
  database: Db,
  log: Log,
  count = () => performance.now(),
): Promise<DatabaseClock> {
  const readOffset = async () => {
    const sentAt = count();
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
    if (!rows[0]) throw new Error('the database returned no time');
    // Assumes that the database read its clock half-way between query and answer.
    return rows[0].now.getTime() - (sentAt + count()) / 2;
  };
  let offset = await readOffset();
  const offSeconds = Math.round((systemClock.now().getTime() - offset - count()) / SECOND_MS);
  if (Math.abs(offSeconds) > CLOCK_OFF_MAX_SECONDS)
    log.warn({ offSeconds }, "the clock of this machine differs from the database's, which counts");
  const compare = async () => {
    try {
      offset = await readOffset();
    } catch (error) {
      noteOutage(log, "the database's time could not be asked for", { reason: (error as Error).message });
    }
  };
  const timer = setInterval(() => void compare(), MINUTE_MS).unref();
  return { now: () => new Date(offset + count()), compare, stop: () => clearInterval(timer) };
}

/** The embedded database already reads the clock of this process. */
export const ownClock: DatabaseClock = {
  ...systemClock,
  compare: async () => undefined,
  stop: () => undefined,
};
