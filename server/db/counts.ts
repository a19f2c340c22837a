import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { prepared } from './prepared.ts';

/** Counters for limits. Each call is atomic, so a burst over several processes gets its exact share. */
export type Counts = {
  /** Counts one in each window in turn. Stops at the first full window without counting, and returns its index and end. */
  addInTurn(now: Date, windows: readonly Window[]): Promise<Full | undefined>;
  /** Takes one count back from each of these windows. */
  subtract(now: Date, keys: readonly string[]): Promise<unknown>;
  /** Counts one, or returns until when the key is blocked. After `free` counts, each doubles the block. */
  addUnlessWaiting(key: string, now: Date, resetsAt: Date, back: BackOff): Promise<Date | undefined>;
  /** Counts one, unless there are `most` already; returns whether it counted. */
  addUpTo(most: number, key: string, now: Date, resetsAt: Date): Promise<boolean>;
  count(key: string, now: Date): Promise<number>;
  forget(keys: readonly string[]): Promise<unknown>;
  /** Removes counters that no longer limit anyone. */
  sweep(now: Date): Promise<unknown>;
};
/** A window of at most `most`; it begins with its first count. */
type Window = { readonly key: string; readonly most: number; readonly resetsAt: Date };
type Full = { readonly nth: number; readonly until: Date };
/** How many counts are free of a block. The first block lasts a second. */
type BackOff = { readonly free: number; readonly longestSeconds: number };

/** A key that is not blocked. 1970, because the clocks of processes differ. */
const UNBLOCKED = new Date(0);

type Windows = { readonly now: Date } & Readonly<
  Record<`key${number}`, string> & Record<`most${number}`, number> & Record<`resetsAt${number}`, Date>
>;
/** One statement for the number of windows in `form`. Each step counts only if the step before it has. */
const countInTurn = prepared((_, values: Windows, form: `${number}`) => {
  const names = Array.from({ length: Number(form) }, (__, nth) => sql.id(`counted${nth}`));
  const steps = names.map((name, nth) => {
    const before = names[nth - 1];
    return sql`${name} as (
      insert into rate_limits as counter (key, count, resets_at, blocked_until)
      select ${values[`key${nth}`]}, 1, ${values[`resetsAt${nth}`]}::timestamptz, ${values.now}::timestamptz
      ${before ? sql`from ${before}` : sql`where true`}
      on conflict (key) do update set
        count = case when counter.resets_at <= ${values.now} then 1 else counter.count + 1 end,
        resets_at = case when counter.resets_at <= ${values.now} then excluded.resets_at else counter.resets_at end
      where counter.resets_at <= ${values.now} or counter.count < ${values[`most${nth}`]}::bigint
      returning 1)`;
  });
  const all = names.map((name) => sql`select from ${name}`);
  return sql<{ counted: number }>`
    with ${sql.join(steps)} select count(*)::int as counted from (${sql.join(all, sql` union all `)}) as steps`;
});

const subtractInTurn = prepared(
  // Locks in the order in which `countInTurn` locks, so that the two cannot deadlock.
  (_, { now, keys }: { readonly now: Date; readonly keys: readonly string[] }) => sql`
    with locked as materialized (
      select key from rate_limits where key = any(${keys}::text[]) order by array_position(${keys}::text[], key) for update
    )
    update rate_limits as counter set count = counter.count - 1 from locked
    where counter.key = locked.key and counter.count > 0 and counter.resets_at > ${now}`,
);

type Count = { readonly key: string; readonly now: Date; readonly resetsAt: Date };
const countUnlessWaiting = prepared(
  (_, { key, now, resetsAt, free, longestSeconds }: Count & BackOff) => sql`
    insert into rate_limits as counter (key, count, resets_at, blocked_until)
    values (${key}, 1, ${resetsAt}, ${UNBLOCKED})
    on conflict (key) do update set
      count = case when counter.resets_at <= ${now} then 1 else counter.count + 1 end,
      resets_at = excluded.resets_at,
      blocked_until = case
        when counter.resets_at <= ${now} or counter.count + 1 < ${free} then excluded.blocked_until
        else ${now}::timestamptz
          + least(${longestSeconds}, power(2, least(counter.count + 1 - ${free}, 20))) * interval '1 second'
      end
    where counter.blocked_until <= ${now}
    returning count`,
);

const countUpTo = prepared(
  (_, { key, now, resetsAt, most }: Count & { readonly most: number }) => sql`
    insert into rate_limits as counter (key, count, resets_at, blocked_until)
    values (${key}, 1, ${resetsAt}, ${now})
    on conflict (key) do update set count = counter.count + 1, resets_at = excluded.resets_at
    where counter.count < ${most}
    returning count`,
);

export const countsInDatabase = (database: Db): Counts => ({
  addInTurn: async (now, windows) => {
    const entries = windows.flatMap((window, nth) =>
      Object.entries(window).map(([name, value]) => [`${name}${nth}`, value]),
    );
    const values = { now, ...Object.fromEntries(entries) } as Windows;
    const [{ counted: nth } = { counted: 0 }] = await countInTurn(database, values, `${windows.length}`);
    const full = windows[nth];
    if (!full) return undefined;
    const row = database.selectFrom('rate_limits').select('resets_at').where('key', '=', full.key);
    return { nth, until: (await row.executeTakeFirst())?.resets_at ?? now };
  },

  subtract: (now, keys) => subtractInTurn(database, { now, keys }),

  addUnlessWaiting: async (key, now, resetsAt, back) => {
    const rows = await countUnlessWaiting(database, { key, now, resetsAt, ...back });
    if (rows.length > 0) return undefined;
    const row = database.selectFrom('rate_limits').select('blocked_until').where('key', '=', key);
    return (await row.executeTakeFirst())?.blocked_until ?? now;
  },

  addUpTo: async (most, key, now, resetsAt) =>
    (await countUpTo(database, { key, now, resetsAt, most })).length > 0,

  count: async (key, now) => {
    const row = database.selectFrom('rate_limits').select('count').where('key', '=', key);
    return (await row.where('resets_at', '>', now).executeTakeFirst())?.count ?? 0;
  },

  forget: (keys) => database.deleteFrom('rate_limits').where('key', 'in', keys).execute(),

  sweep: (now) => database.deleteFrom('rate_limits').where('resets_at', '<', now).execute(),
});
