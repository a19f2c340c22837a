import { refuse, type Refusal } from '#contract/errors.ts';
import { type Clock, DAY_MS, fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Counts } from '#server/db/counts.ts';
import { sha256 } from '#server/keys.ts';
import type { Metrics } from '#server/metrics.ts';

type Bucket = { readonly most: number; readonly windowMs: number; readonly byAddress?: true };

/** How much of what in how long (counted before the check, by canonical mail and trusted address). */
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
  newAddressesHour: { most: 5, windowMs: HOUR_MS },
  newAddressMailsToAddressDay: { most: 10, windowMs: DAY_MS },
  exportsHour: { most: 30, windowMs: HOUR_MS },
  codeMailsDay: { most: 10, windowMs: DAY_MS },
  confirmationRequestsHour: { most: 30, windowMs: HOUR_MS, byAddress: true },
} as const satisfies Record<string, Bucket>;
export type BucketName = keyof typeof buckets;

/** On a developer's machine everybody has one address, so what counts by address counts a hundredfold. */
const LOOPBACK_FACTOR = 100;
/** By how much whatever counts by address is multiplied. */
export const factorByAddress = ({
  rateLimitFactor,
  publicUrl,
}: Pick<Config, 'rateLimitFactor' | 'publicUrl'>) =>
  rateLimitFactor * (publicUrl.protocol === 'http:' ? LOOPBACK_FACTOR : 1);
const FREE_FAILURES = 5;
const BACK_OFF_MAX_SECONDS = 900;
const FAILURES_KEPT_MS = DAY_MS;
/** Tries in a row have no end but a success; who stays away for a year starts anew. */
const TRIES_KEPT_MS = 365 * DAY_MS;

export type Limiter = ReturnType<typeof createLimiter>;

/** The limits, wherever they are counted. */
export function createLimiter(
  counts: Counts,
  clock: Clock,
  config: Pick<Config, 'rateLimitFactor' | 'publicUrl'>,
  metrics: Pick<Metrics, 'limited'>,
) {
  const mostOf = ({ most, byAddress }: Bucket) =>
    most * (byAddress ? factorByAddress(config) : config.rateLimitFactor);
  const refuseAndCount = (limit: string, until: Date, now: Date) => {
    metrics.limited.inc({ limit });
    return refuseUntil(until, now);
  };
  // Who tried what from where is nobody's business in the database.
  const keyOf = (bucket: string, by: string) => `${bucket}:${sha256(by).toString('base64url').slice(0, 22)}`;

  /** Takes one from each of these buckets in turn; refuses at the first empty one, telling which and when it fills again. */
  const takeInTurn = async (asked: readonly (readonly [name: BucketName, by: string])[]) => {
    const now = clock.now();
    const windows = asked.map(([name, by]) => ({
      key: keyOf(name, by),
      most: mostOf(buckets[name]),
      resetsAt: fromNow(clock, buckets[name].windowMs),
    }));
    const full = await counts.addInTurn(now, windows);
    const [empty] = (full && asked[full.nth]) ?? [];
    return full && empty && { empty, refusal: refuseAndCount(empty, full.until, now) };
  };

  return {
    takeInTurn,

    /** Takes one from a bucket; refuses when it is empty, telling when it fills again. */
    take: async (name: BucketName, by: string) => (await takeInTurn([[name, by]]))?.refusal,

    /**
     * Takes one try that may fail: five are free, and after them each has to wait, from a second to 15 minutes,
     * doubling. `forget` it when it succeeds.
     */
    async tryOnce(by: string): Promise<Refusal<'too_many_requests'> | undefined> {
      const now = clock.now();
      const back = { free: FREE_FAILURES * config.rateLimitFactor, longestSeconds: BACK_OFF_MAX_SECONDS };
      const resetsAt = fromNow(clock, FAILURES_KEPT_MS);
      const until = await counts.addUnlessWaiting(keyOf('tries', by), now, resetsAt, back);
      return until && refuseAndCount('tries', until, now);
    },

    /** How many tries in a row have failed. */
    failures: (by: string) => counts.count(keyOf('tries', by), clock.now()),

    /** Takes one of so many tries that may fail in a row; false when they are used up. `forget` them when one succeeds. */
    tryOneOf: (most: number, by: string) =>
      counts.addUpTo(most, keyOf('tries', by), clock.now(), fromNow(clock, TRIES_KEPT_MS)),

    /** Fills a bucket again. */
    refill: (name: BucketName, by: string) => counts.forget([keyOf(name, by)]),

    /** A try succeeded: what failed before is forgotten. */
    forget: (by: readonly string[]) => counts.forget(by.map((one) => keyOf('tries', one))),

    /** Removes counts that hold nobody back any more. */
    sweep: () => counts.sweep(clock.now()),
  };
}

/** Refuses, telling in how many seconds to come back. */
export const refuseUntil = (until: Date, now: Date) =>
  refuse('too_many_requests', {
    retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / SECOND_MS)),
  });
