import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

/** What limits are made of: each call is one step that nothing comes between, so a burst over several processes gets exactly its share. */
export type Counts = {
  /** One more in each of these windows in turn, until one is full; then which, and when it ends. */
  addInTurn(now: Date, windows: readonly Window[]): Promise<Full | undefined>;
  /** One more, unless the key has to wait: then until when. From the `free`th on each makes the next wait twice as long. */
  addUnlessWaiting(key: string, now: Date, resetsAt: Date, back: BackOff): Promise<Date | undefined>;
  /** One more, unless there are `most` already; whether it was counted. */
  addUpTo(most: number, key: string, now: Date, resetsAt: Date): Promise<boolean>;
  count(key: string, now: Date): Promise<number>;
  forget(keys: readonly string[]): Promise<unknown>;
  /** Removes what holds nobody back any more. */
  sweep(now: Date): Promise<unknown>;
};
/** So many until it ends, which is counted from the first. */
type Window = { readonly key: string; readonly most: number; readonly resetsAt: Date };
type Full = { readonly nth: number; readonly until: Date };
/** How many are free, and the longest wait after them; the first is a second. */
type BackOff = { readonly free: number; readonly longestSeconds: number };

/** What is free holds nobody back, another process whose clock is a moment behind neither. */
const NEVER = new Date(0);

type Windows = { readonly now: Date } & Readonly<
  Record<`key${number}`, string> & Record<`most${number}`, number> & Record<`resetsAt${number}`, Date>
>;
/** One statement for as many windows as its form says: each is counted once the one before it was not full. */
const oneMoreInTurn = prepared((_, asked: Windows, form: `${number}`) => {
  const all = Array.from({ length: Number(form) }, (__, nth) => ({
    nth: sql.lit(nth),
    counted: sql.id(`counted${nth}`),
    isFull: sql`count > ${asked[`most${nth}`]}::bigint`,
    key: asked[`key${nth}`],
    resetsAt: asked[`resetsAt${nth}`],
  }));
  const steps = all.map(({ counted, key, resetsAt }, nth) => {
    const before = all[nth - 1];
    return sql`${counted} as (
      insert into rate_limits as held (key, count, resets_at, blocked_until)
      select ${key}, 1, ${resetsAt}::timestamptz, ${asked.now}::timestamptz
      ${before ? sql`from ${before.counted} where not ${before.isFull}` : sql``}
      on conflict (key) do update set
        count = case when held.resets_at <= ${asked.now} then 1 else held.count + 1 end,
        resets_at = case when held.resets_at <= ${asked.now} then excluded.resets_at else held.resets_at end
      returning count, resets_at)`;
  });
  const full = all.map(
    ({ nth, counted, isFull }) =>
      sql`select ${nth} as nth, resets_at as until from ${counted} where ${isFull}`,
  );
  return sql<Full>`with ${sql.join(steps)} ${sql.join(full, sql` union all `)}`;
});

type One = { readonly key: string; readonly now: Date; readonly resetsAt: Date };
type Wait = One & BackOff;
const oneMoreUnlessWaiting = prepared(
  (_, { key, now, resetsAt, free, longestSeconds }: Wait) => sql`
    insert into rate_limits as held (key, count, resets_at, blocked_until)
    values (${key}, 1, ${resetsAt}, ${NEVER})
    on conflict (key) do update set
      count = case when held.resets_at <= ${now} then 1 else held.count + 1 end,
      resets_at = excluded.resets_at,
      blocked_until = case
        when held.resets_at <= ${now} or held.count + 1 < ${free} then excluded.blocked_until
        else ${now}::timestamptz
          + least(${longestSeconds}, power(2, least(held.count + 1 - ${free}, 20))) * interval '1 second'
      end
    where held.blocked_until <= ${now}
    returning count`,
);

const oneMoreUpTo = prepared(
  (_, { key, now, resetsAt, most }: One & { readonly most: number }) => sql`
    insert into rate_limits as held (key, count, resets_at, blocked_until)
    values (${key}, 1, ${resetsAt}, ${now})
    on conflict (key) do update set count = held.count + 1, resets_at = excluded.resets_at
    where held.count < ${most}
    returning count`,
);

/** Counts in the table rate_limits. */
export const countsInDatabase = (database: Db): Counts => ({
  addInTurn: async (now, windows) => {
    const named = windows.flatMap((window, nth) =>
      Object.entries(window).map(([name, value]) => [`${name}${nth}`, value]),
    );
    const asked = { now, ...Object.fromEntries(named) } as Windows;
    return (await oneMoreInTurn(database, asked, `${windows.length}`)).at(0);
  },

  addUnlessWaiting: async (key, now, resetsAt, back) => {
    const rows = await oneMoreUnlessWaiting(database, { key, now, resetsAt, ...back });
    if (rows.length > 0) return undefined;
    const held = database.selectFrom('rate_limits').select('blocked_until').where('key', '=', key);
    return (await held.executeTakeFirst())?.blocked_until ?? now;
  },

  addUpTo: async (most, key, now, resetsAt) =>
    (await oneMoreUpTo(database, { key, now, resetsAt, most })).length > 0,

  count: async (key, now) => {
    const held = database.selectFrom('rate_limits').select('count').where('key', '=', key);
    return (await held.where('resets_at', '>', now).executeTakeFirst())?.count ?? 0;
  },

  forget: (keys) => database.deleteFrom('rate_limits').where('key', 'in', keys).execute(),

  sweep: (now) => database.deleteFrom('rate_limits').where('resets_at', '<', now).execute(),
});
