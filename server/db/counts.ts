import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

/** Counters for limits. Each call is atomic, so a burst over several processes gets its exact share. */
export type Counts = {
  /** Counts one in each window in turn. Stops at the first full window, and returns its index and end. */
  addInTurn(now: Date, windows: readonly Window[]): Promise<Full | undefined>;
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
/** One statement for the number of windows in `form`. Each step counts only if the window before it is not full. */
const countInTurn = prepared((_, values: Windows, form: `${number}`) => {
  const all = Array.from({ length: Number(form) }, (__, nth) => ({
    nth: sql.lit(nth),
    counted: sql.id(`counted${nth}`),
    isFull: sql`count > ${values[`most${nth}`]}::bigint`,
    key: values[`key${nth}`],
    resetsAt: values[`resetsAt${nth}`],
  }));
  const steps = all.map(({ counted, key, resetsAt }, nth) => {
    const before = all[nth - 1];
    return sql`${counted} as (
      insert into rate_limits as counter (key, count, resets_at, blocked_until)
      select ${key}, 1, ${resetsAt}::timestamptz, ${values.now}::timestamptz
      ${before ? sql`from ${before.counted} where not ${before.isFull}` : sql``}
      on conflict (key) do update set
        count = case when counter.resets_at <= ${values.now} then 1 else counter.count + 1 end,
        resets_at = case when counter.resets_at <= ${values.now} then excluded.resets_at else counter.resets_at end
      returning count, resets_at)`;
  });
  const full = all.map(
    ({ nth, counted, isFull }) =>
      sql`select ${nth} as nth, resets_at as until from ${counted} where ${isFull}`,
  );
  return sql<Full>`with ${sql.join(steps)} ${sql.join(full, sql` union all `)}`;
});

type Count = { readonly key: string; readonly now: Date; readonly resetsAt: Date };
type Wait = Count & BackOff;
const countUnlessWaiting = prepared(
  (_, { key, now, resetsAt, free, longestSeconds }: Wait) => sql`
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

/** Counts in the table rate_limits. */
export const countsInDatabase = (database: Db): Counts => ({
  addInTurn: async (now, windows) => {
    const entries = windows.flatMap((window, nth) =>
      Object.entries(window).map(([name, value]) => [`${name}${nth}`, value]),
    );
    const values = { now, ...Object.fromEntries(entries) } as Windows;
    return (await countInTurn(database, values, `${windows.length}`)).at(0);
  },

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
