import { refuse, type Refusal } from '#contract/errors.ts';
import { RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { type Clock, DAY_MS, fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Counts } from './counts.ts';
import { allocationOf, networksOf } from '#server/ip-prefix.ts';
import { sha256 } from '#server/keys.ts';
import type { Metrics } from '#server/metrics.ts';

type Bucket = { readonly most: number; readonly windowMs: number; readonly byAddress?: true };
/** One count of a bucket. `network` is the client's where the bucket counts by something else or by more. */
type Draw = readonly [name: BucketName, by: string, network?: string];

/** By canonical mail address or trusted IP address. Counted before the check; a success may give its place back. */
export const buckets = {
  signInMinute: { most: 20, windowMs: MINUTE_MS, byAddress: true },
  signInHour: { most: 200, windowMs: HOUR_MS, byAddress: true },
  signInsHour: { most: 200, windowMs: HOUR_MS },
  disclosureHour: { most: 30, windowMs: HOUR_MS, byAddress: true },
  disclosureRefusedHour: { most: 300, windowMs: HOUR_MS, byAddress: true },
  disclosureSystemHour: { most: 500, windowMs: HOUR_MS, byAddress: true },
  firstMailsDay: { most: 6, windowMs: DAY_MS },
  firstMailsToMailboxDay: { most: 10, windowMs: DAY_MS },
  accountExistsMailsHour: { most: 3, windowMs: HOUR_MS },
  accountExistsMailsToAddressHour: { most: 20, windowMs: HOUR_MS },
  linkMailsTenMinutes: { most: 1, windowMs: 10 * MINUTE_MS },
  resetMailsHour: { most: 3, windowMs: HOUR_MS },
  resetMailsToAccountHour: { most: 20, windowMs: HOUR_MS },
  resetRequestsHour: { most: 10, windowMs: HOUR_MS, byAddress: true },
  restoreMailsHour: { most: 3, windowMs: HOUR_MS },
  restoreMailsToAccountHour: { most: 20, windowMs: HOUR_MS },
  wayBackMailsHour: { most: 3, windowMs: HOUR_MS },
  restoreRequestsHour: { most: 10, windowMs: HOUR_MS, byAddress: true },
  socialStartsHour: { most: 200, windowMs: HOUR_MS, byAddress: true },
  openRequestsHour: { most: 1000, windowMs: HOUR_MS, byAddress: true },
  invitationMailsHour: { most: 500, windowMs: HOUR_MS },
  invitationMailsDay: { most: 10, windowMs: DAY_MS },
  invitationMailsToAddressDay: { most: 100, windowMs: DAY_MS },
  uploadsHour: { most: 20, windowMs: HOUR_MS },
  newAddressesHour: { most: 5, windowMs: HOUR_MS },
  exportsHour: { most: 30, windowMs: HOUR_MS },
  codeMailsDay: { most: 10, windowMs: DAY_MS },
  confirmationRequestsHour: { most: 30, windowMs: HOUR_MS, byAddress: true },
  ownLinksHalfMinute: { most: 1, windowMs: RESEND_WAIT_SECONDS * SECOND_MS },
  wrongSecretsHour: { most: 30, windowMs: HOUR_MS, byAddress: true },
  deskPeopleHour: { most: 60, windowMs: HOUR_MS },
  deskPeopleDay: { most: 200, windowMs: DAY_MS },
  deskFoundHour: { most: 300, windowMs: HOUR_MS },
  deskFoundDay: { most: 1000, windowMs: DAY_MS },
  deskActsHour: { most: 30, windowMs: HOUR_MS },
  deskActsDay: { most: 100, windowMs: DAY_MS },
  deskNewsHour: { most: 1, windowMs: HOUR_MS },
  domainChecksHour: { most: 60, windowMs: HOUR_MS },
  scimMinute: { most: 1500, windowMs: MINUTE_MS },
  scimNewsDay: { most: 1, windowMs: DAY_MS },
  joinRequestsDay: { most: 5, windowMs: DAY_MS },
  confirmationMailsHour: { most: 4, windowMs: HOUR_MS },
} as const satisfies Record<string, Bucket>;
export type BucketName = keyof typeof buckets;

/** On a developer's machine all clients have one address, so limits by address are a hundred times larger. */
const LOOPBACK_FACTOR = 100;
/** A /48 has ten times the limit of a /64, because it rarely has as many people as networks. */
const ALLOCATION_FACTOR = 10;
const factorByAddress = ({ rateLimitFactor, publicUrl }: Omit<Limits, 'knownNetworks'>) =>
  rateLimitFactor * (publicUrl.protocol === 'http:' ? LOOPBACK_FACTOR : 1);
/** An office of thousands behind one address needs as much as its people do elsewhere. */
const KNOWN_FACTOR = 100;
function factorOfKnown({ knownNetworks }: Pick<Limits, 'knownNetworks'>) {
  const isKnown = networksOf(knownNetworks);
  return (network: string) => (isKnown(network.replace(/\/64$/, '')) ? KNOWN_FACTOR : 1);
}
type Limits = Pick<Config, 'rateLimitFactor' | 'publicUrl' | 'knownNetworks'>;
const FREE_FAILURES = 5;
const BACK_OFF_MAX_SECONDS = 900;
const FAILURES_KEPT_MS = DAY_MS;
/** A success resets the tries in a row, and so does a year without tries. */
const TRIES_KEPT_MS = 365 * DAY_MS;

export type Limiter = ReturnType<typeof createLimiter>;

export function createLimiter(
  counts: Counts,
  clock: Clock,
  config: Limits,
  metrics: Pick<Metrics, 'limited'>,
) {
  const factorOf = factorOfKnown(config);
  const refuseAndCount = (limit: string, until: Date, now: Date) => {
    metrics.limited.inc({ limit });
    return refuseUntil(limit, until, now);
  };
  // Hashed, because the database must not reveal people and their addresses.
  const keyOf = (bucket: string, by: string) => `${bucket}:${sha256(by).toString('base64url').slice(0, 22)}`;

  const windowsOf = (draws: readonly Draw[]) =>
    draws.flatMap(([name, by, from]) => {
      const { windowMs, byAddress, most }: Bucket = buckets[name];
      const network = from ?? (byAddress ? by : '');
      const allocation = byAddress && allocationOf(by);
      const factor = byAddress ? factorByAddress(config) : config.rateLimitFactor;
      const mostHere = most * factor * factorOf(network);
      const window = { name, key: keyOf(name, by), most: mostHere, resetsAt: fromNow(clock, windowMs) };
      return allocation
        ? [window, { ...window, key: keyOf(name, allocation), most: mostHere * ALLOCATION_FACTOR }]
        : [window];
    });

  /** Takes one from each bucket in turn. Stops at the first empty bucket, and returns its name and the refusal. */
  const takeInTurn = async (draws: readonly Draw[]) => {
    const now = clock.now();
    const windows = windowsOf(draws);
    const full = await counts.addInTurn(
      now,
      windows.map(({ name: _name, ...window }) => window),
    );
    const empty = full && windows[full.nth]?.name;
    return full && empty && { empty, refusal: refuseAndCount(empty, full.until, now) };
  };

  return {
    takeInTurn,

    /** Takes one from a bucket; the refusal of an empty one contains its waiting time. */
    take: async (...draw: Draw) => (await takeInTurn([draw]))?.refusal,

    /** Gives back a place in each bucket, because what took it has succeeded. */
    giveBack: (draws: readonly Draw[]) =>
      counts.subtract(
        clock.now(),
        windowsOf(draws).map(({ key }) => key),
      ),

    /** Five tries are free; then each has to wait, from a second to 15 minutes, doubling. `forget` after a success. */
    async tryOnce(by: string): Promise<Refusal<'too_many_requests'> | undefined> {
      const now = clock.now();
      const back = { free: FREE_FAILURES * config.rateLimitFactor, longestSeconds: BACK_OFF_MAX_SECONDS };
      const resetsAt = fromNow(clock, FAILURES_KEPT_MS);
      const until = await counts.addUnlessWaiting(keyOf('tries', by), now, resetsAt, back);
      return until && refuseAndCount('tries', until, now);
    },

    failures: (by: string) => counts.count(keyOf('tries', by), clock.now()),

    /** False when `most` failed tries in a row are used up. The caller calls `forget` after a success. */
    tryOneOf: (most: number, by: string) =>
      counts.addUpTo(most, keyOf('tries', by), clock.now(), fromNow(clock, TRIES_KEPT_MS)),

    refill: (name: BucketName, by: string) => counts.forget([keyOf(name, by)]),

    forget: (by: readonly string[]) => counts.forget(by.map((name) => keyOf('tries', name))),

    /** The key of a counter of tries, which tells nothing of what it counts by. */
    counterOf: (by: string) => keyOf('tries', by),

    forgetCounters: (keys: readonly string[]) => counts.forget(keys),

    sweep: () => counts.sweep(clock.now()),
  };
}

export const refuseUntil = (limit: string, until: Date, now: Date) =>
  refuse('too_many_requests', {
    limit,
    retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / SECOND_MS)),
  });
