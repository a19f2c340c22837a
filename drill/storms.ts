import { setTimeout as pause } from 'node:timers/promises';
import { seconds, ledgerSummary } from './crashes.ts';
import { holdingsOf, measureLeftovers } from './invariants.ts';
import { Ledger } from './ledger.ts';
import {
  failuresIn,
  type Mix,
  percentile,
  type Sample,
  startLoad,
  statuses,
  usualMix,
  within,
} from './load.ts';
import { withDeps, populate, type Person } from './people.ts';
import type { Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';

const MIXED_RATE = 200;
const MIN_SECONDS = 60;
const MEBIBYTE = 2 ** 20;

type Storm = {
  readonly rate: number;
  readonly lasts: number;
  readonly calm?: number;
  readonly watchMs?: number;
  readonly mix?: Mix;
  readonly people?: readonly Person[];
};

const WARM_UP_MS = 10_000;

/** Sends `rate` for `lasts`, with an unmeasured calm load before; returns resources that were not released. */
async function storm(
  { wire, portals, people: everybody }: Stage,
  { rate, lasts, calm = rate / 2, watchMs = 0, mix = usualMix, people = everybody }: Storm,
) {
  const ledger = new Ledger();
  await using load = startLoad({ wire, people, rate: calm, mix, ledger });
  await pause(WARM_UP_MS);
  const { result, leftovers } = await measureLeftovers(portals, async () => {
    const began = performance.now();
    load.goOnAt(rate);
    await pause(1000 * lasts);
    load.goOnAt(calm);
    const end = performance.now();
    await pause(watchMs);
    return { began, end };
  });
  const samples = await load.stop();
  return {
    ledger,
    leftovers,
    backMs: recoveryMs(samples, result.end),
    samples: within(samples, result.began, result.end),
  };
}

export const none5xx = (samples: readonly Sample[]) =>
  failuresIn(samples).length === 0 ? [] : [statuses(failuresIn(samples))];
export const slower = (samples: readonly Sample[], goalMs: number) =>
  percentile(samples, 99) <= goalMs ? [] : [`99 of 100 took up to ${Math.round(percentile(samples, 99))} ms`];
const minutes = (seconds: number) => `${Math.round((10 * seconds) / MIN_SECONDS) / 10} min`;
export const timesOf = (samples: readonly Sample[]) =>
  `p50 ${Math.round(percentile(samples, 50))} ms, p99 ${Math.round(percentile(samples, 99))} ms`;

const SIGN_INS = 20;
const signIns: Scenario = {
  ids: ['R2'],
  name: 'A storm of sign-ins',
  needs: 'cluster',
  async run(drill) {
    const lasts = drill.seconds(30, 10 * MIN_SECONDS);
    const rate = drill.rate(SIGN_INS);
    const { samples, leftovers } = await storm(drill.stage, {
      rate,
      lasts,
      mix: { signIns: 100, writes: 0 },
    });
    const failures = samples.filter(({ status }) => status !== 200);
    const breaches = [
      ...(failures.length > 0 ? [statuses(failures)] : []),
      ...slower(samples, 1000),
      ...leftovers,
      ...(await drill.stage.breaches()),
    ];
    return { breaches, summary: `${rate}/s for ${lasts} s: ${statuses(samples)}; ${timesOf(samples)}` };
  },
};

const OVERLOAD = 5;
export const MIXED_GOAL_MS = 400;
const RECOVERY_GOAL_MS = 5000;
const WATCHED_AFTER_MS = RECOVERY_GOAL_MS + 5000;
const HUNDRED = 100;

/** Milliseconds until the last hundred calls with a refusal, or with more than one above the mixed-load limit. */
export function recoveryMs(samples: readonly Sample[], since: number): number {
  const after = within(samples, since).toSorted((a, b) => a.at - b.at);
  const isWell = (from: number) => {
    const calls = after.slice(from, from + HUNDRED);
    return (
      calls.every(({ status }) => status === 200) && calls.filter(({ ms }) => ms > MIXED_GOAL_MS).length <= 1
    );
  };
  const lastIll = [...after.keys()].findLast((nth) => nth % HUNDRED === 0 && !isWell(nth));
  return lastIll === undefined ? 0 : (after.slice(0, lastIll + HUNDRED).at(-1)?.at ?? since) - since;
}

/** Five times the possible load, then the usual load again. */
const overload: Scenario = {
  ids: ['R3'],
  name: 'Five times the load',
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const lasts = drill.seconds(20, 5 * MIN_SECONDS);
    const rate = OVERLOAD * MIXED_RATE;
    const { samples, ledger, leftovers, backMs } = await storm(stage, {
      rate,
      lasts,
      calm: MIXED_RATE,
      watchMs: WATCHED_AFTER_MS,
    });
    const rude = samples.filter(
      ({ status, hasRetryAfter }) => status !== 200 && !(hasRetryAfter && [429, 503].includes(status)),
    );
    const goodAnswers = samples.filter(({ kind, status }) => kind !== 'sign-in' && status === 200);
    const breaches = [
      ...(rude.length > 0 ? [`${statuses(rude)} instead of 429 or 503 with Retry-After`] : []),
      ...slower(goodAnswers, 1000),
      ...(backMs > RECOVERY_GOAL_MS ? [`recovery took ${seconds(backMs)}`] : []),
      ...leftovers,
      ...(await stage.breaches({ ledgers: [ledger] })),
    ];
    const summary = `${rate}/s for ${lasts} s: ${statuses(samples)}; signed-in ${timesOf(goodAnswers)}; recovery ${seconds(backMs)}`;
    return { breaches, summary };
  },
};

const everyHolding = (stage: Stage) => Promise.all(stage.portals.map(holdingsOf));

const CROWD = 10_000;
const PEOPLE_EACH = 20;
const crowd: Scenario = {
  ids: ['R4'],
  name: 'Ten thousand open sessions',
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const lasts = drill.seconds(60, 15 * MIN_SECONDS);
    const crowds = drill.rounds(CROWD, CROWD);
    const people = await withDeps(stage.inspector, (deps) =>
      populate(deps, Math.ceil(crowds / PEOPLE_EACH), PEOPLE_EACH),
    );
    const before = await everyHolding(stage);
    const { samples, ledger } = await storm(stage, { rate: MIXED_RATE / 2, lasts, people });
    const after = await everyHolding(stage);
    const growthBytes = Math.max(
      ...after.map(({ residentBytes }, nth) => residentBytes - (before[nth]?.residentBytes ?? 0)),
    );
    const breaches = [
      ...none5xx(samples),
      ...(growthBytes > 150 * MEBIBYTE ? ['more memory than 150 MiB'] : []),
      ...(await stage.breaches({ ledgers: [ledger] })),
    ];
    const summary = `${people.length} people, ${lasts} s: ${statuses(samples)}; memory +${Math.round(growthBytes / MEBIBYTE)} MiB`;
    return { breaches, summary };
  },
};

const mixedStorm: Scenario = {
  ids: ['R1'],
  name: 'Mixed load',
  needs: 'cluster',
  async run(drill) {
    const lasts = drill.seconds(30, 30 * MIN_SECONDS);
    const rate = drill.rate(MIXED_RATE);
    const { samples, leftovers, ledger } = await storm(drill.stage, { rate, lasts });
    const breaches = [
      ...none5xx(samples),
      ...slower(samples, MIXED_GOAL_MS),
      ...leftovers,
      ...(await drill.stage.breaches({ ledgers: [ledger] })),
    ];
    const summary = `${rate}/s for ${minutes(lasts)}: ${statuses(samples)}; ${timesOf(samples)}; ${ledgerSummary(ledger)}`;
    return { breaches, summary };
  },
};

export const storms: readonly Scenario[] = [mixedStorm, signIns, crowd, overload];
