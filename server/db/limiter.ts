import { sql } from 'kysely';
import { refuse, type Refusal } from '#contract/errors.ts';
import { type Clock, DAY_MS, fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';

type Bucket = { readonly most: number; readonly windowMs: number; readonly byAddress?: true };

/** How much of what in how long (design: counted before the check, by canonical mail and trusted address). */
const buckets = {
  signInMinute: { most: 20, windowMs: MINUTE_MS, byAddress: true },
  signInHour: { most: 200, windowMs: HOUR_MS, byAddress: true },
  disclosureHour: { most: 30, windowMs: HOUR_MS, byAddress: true },
  disclosureRefusedHour: { most: 300, windowMs: HOUR_MS, byAddress: true },
  disclosureSystemHour: { most: 500, windowMs: HOUR_MS, byAddress: true },
  accountExistsMailsHour: { most: 3, windowMs: HOUR_MS },
  resetMailsHour: { most: 3, windowMs: HOUR_MS },
  resetRequestsHour: { most: 10, windowMs: HOUR_MS, byAddress: true },
  restoreMailsHour: { most: 3, windowMs: HOUR_MS },
  restoreRequestsHour: { most: 10, windowMs: HOUR_MS, byAddress: true },
  socialStartsHour: { most: 200, windowMs: HOUR_MS, byAddress: true },
  invitationMailsHour: { most: 500, windowMs: HOUR_MS },
  invitationMailsToAddressDay: { most: 10, windowMs: DAY_MS },
  uploadsHour: { most: 20, windowMs: HOUR_MS },
  codeMailsDay: { most: 10, windowMs: DAY_MS },
  confirmationRequestsHour: { most: 30, windowMs: HOUR_MS, byAddress: true },
} as const satisfies Record<string, Bucket>;
export type BucketName = keyof typeof buckets;

/** On a developer's machine everybody has one address, so what counts by address counts a hundredfold. */
const LOOPBACK_FACTOR = 100;
const FREE_FAILURES = 5;
const BACK_OFF_MAX_SECONDS = 900;
const FAILURES_KEPT_MS = DAY_MS;
/** Tries in a row have no end but a success; who stays away for a year starts anew. */
const ROW_KEPT_MS = 365 * DAY_MS;

export type Limiter = ReturnType<typeof createLimiter>;

/** Counts in the database, one statement a count, so a burst over several processes gets exactly its share. */
export function createLimiter(
  database: Db,
  clock: Clock,
  config: Pick<Config, 'rateLimitFactor' | 'publicUrl'>,
) {
  const loopback = config.publicUrl.protocol === 'http:';
  const mostOf = ({ most, byAddress }: Bucket) =>
    most * config.rateLimitFactor * (byAddress && loopback ? LOOPBACK_FACTOR : 1);
  // Who tried what from where is nobody's business in the database.
  const keyOf = (bucket: string, by: string) => `${bucket}:${sha256(by).toString('base64url').slice(0, 22)}`;

  return {
    /** Takes one from a bucket; refuses when it is empty, telling when it fills again. */
    async take(name: BucketName, by: string): Promise<Refusal<'too_many_requests'> | undefined> {
      const bucket: Bucket = buckets[name];
      const now = clock.now();
      const resetsAt = fromNow(clock, bucket.windowMs);
      const { rows } = await sql<{ count: number; resets_at: Date }>`
        insert into rate_limits as held (key, count, resets_at, blocked_until)
        values (${keyOf(name, by)}, 1, ${resetsAt}, ${now})
        on conflict (key) do update set
          count = case when held.resets_at <= ${now} then 1 else held.count + 1 end,
          resets_at = case when held.resets_at <= ${now} then excluded.resets_at else held.resets_at end
        returning count, resets_at`.execute(database);
      const [row] = rows;
      return row && row.count > mostOf(bucket) ? refuseUntil(row.resets_at, now) : undefined;
    },

    /**
     * Takes one try that may fail: five are free, and after them each has to wait, from a second to 15 minutes,
     * doubling. `forget` it when it succeeds.
     */
    async tryOnce(by: string): Promise<Refusal<'too_many_requests'> | undefined> {
      const now = clock.now();
      const key = keyOf('tries', by);
      const free = FREE_FAILURES * config.rateLimitFactor;
      const { rows } = await sql<{ count: number }>`
        insert into rate_limits as held (key, count, resets_at, blocked_until)
        values (${key}, 1, ${fromNow(clock, FAILURES_KEPT_MS)}, ${now})
        on conflict (key) do update set
          count = case when held.resets_at <= ${now} then 1 else held.count + 1 end,
          resets_at = excluded.resets_at,
          blocked_until = ${now}::timestamptz + case
            when held.resets_at <= ${now} or held.count + 1 < ${free} then interval '0'
            else least(${BACK_OFF_MAX_SECONDS}, power(2, least(held.count + 1 - ${free}, 20))) * interval '1 second'
          end
        where held.blocked_until <= ${now}
        returning count`.execute(database);
      if (rows.length > 0) return undefined;
      const held = await database
        .selectFrom('rate_limits')
        .select('blocked_until')
        .where('key', '=', key)
        .executeTakeFirst();
      return refuseUntil(held?.blocked_until ?? now, now);
    },

    /** How many tries in a row have failed. */
    async failures(by: string): Promise<number> {
      const row = await database
        .selectFrom('rate_limits')
        .select('count')
        .where('key', '=', keyOf('tries', by))
        .where('resets_at', '>', clock.now())
        .executeTakeFirst();
      return row?.count ?? 0;
    },

    /** Takes one of so many tries that may fail in a row; false when they are used up. `forget` them when one succeeds. */
    async tryOneOf(most: number, by: string): Promise<boolean> {
      const { rows } = await sql`
        insert into rate_limits as held (key, count, resets_at, blocked_until)
        values (${keyOf('tries', by)}, 1, ${fromNow(clock, ROW_KEPT_MS)}, ${clock.now()})
        on conflict (key) do update set count = held.count + 1, resets_at = excluded.resets_at
        where held.count < ${most}
        returning count`.execute(database);
      return rows.length > 0;
    },

    /** A try succeeded: what failed before is forgotten. */
    forget: (by: readonly string[], tx: Db = database) =>
      tx
        .deleteFrom('rate_limits')
        .where(
          'key',
          'in',
          by.map((one) => keyOf('tries', one)),
        )
        .execute(),

    /** Rows that hold nobody back any more. */
    sweep: () => database.deleteFrom('rate_limits').where('resets_at', '<', clock.now()).execute(),
  };
}

/** Refuses, telling in how many seconds to come back. */
export const refuseUntil = (until: Date, now: Date) =>
  refuse('too_many_requests', {
    retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / SECOND_MS)),
  });
