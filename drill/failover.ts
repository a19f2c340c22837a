import { setTimeout as pause } from 'node:timers/promises';
import { lastFailure, longest, seconds, slowestOf, spread, ledgerSummary, underLoad } from './crashes.ts';
import { failuresIn, type Load, type Sample, signInCall, statuses, within } from './load.ts';
import { waitForRecovery, rudeness } from './outages.ts';
import { type Scenario, unless } from './scenario.ts';
import type { Stage } from './stage.ts';
import { cookieFrom, wireTo } from './wire.ts';

const LOOK_EVERY_MS = 200;
const MISSES_MAX = 2;
const SETTLE_MS = 1000;
const ASK_EVERY_MS = 20;

/** Does what Patroni or repmgr do: promotes the standby after the primary has failed consecutive checks. */
async function watch(stage: Stage) {
  for (let misses = 0; misses < MISSES_MAX; await pause(LOOK_EVERY_MS))
    misses = (await stage.database.answers()) ? 0 : misses + 1;
  stage.database.promote();
}

interface Outage {
  readonly from: number;
  /** When both processes were ready again. */
  readonly readyAt: number;
  /** When enough consecutive writes had succeeded. */
  readonly to: number;
}

/** Waits until clients see no outage any more. */
async function overcome({ portals }: Stage, load: Load, from: number): Promise<Outage> {
  for (const one of portals) await one.ready();
  const readyAt = performance.now();
  await waitForRecovery(load, from, ({ kind, status }) => kind === 'write' && status === 200);
  return { from, readyAt, to: performance.now() };
}

/**
 * The duration of each outage. It ends when both processes are ready and the last failed request has started.
 */
const outageDurations = (outages: readonly Outage[], samples: readonly Sample[]) =>
  outages.map(({ from, readyAt, to }) =>
    Math.max(readyAt - from, lastFailure(within(samples, from, to), from)),
  );

/** The cookie of a session that was just signed out, for checks at every process. */
async function signOutSomebody(stage: Stage): Promise<string> {
  const person = stage.spares[Math.floor(Math.random() * stage.spares.length)];
  if (!person) throw new Error('there is nobody');
  const signIn = await stage.wire.ask(signInCall(person));
  const cookie = `portico=${cookieFrom(signIn, 'portico')}`;
  const reply = await stage.wire.ask({ method: 'DELETE', path: '/api/logout', cookie, body: {} });
  if (reply.status !== 200) throw new Error(`signing out was ${reply.status}`);
  return cookie;
}

/**
 * Checks an ended session at all processes until `isOver`: none may accept it, and finally all must refuse
 * it.
 */
async function brokenSignOut(stage: Stage, cookie: string, isOver: () => boolean): Promise<string[]> {
  const host = new URL(stage.url).host;
  const wires = stage.portals.map(({ url }) => wireTo(url, { host }));
  const sessionStatuses = new Set<number>();
  const look = async () => {
    const replies = await Promise.all(
      wires.map((wire) => wire.ask({ method: 'GET', path: '/api/orgs', cookie })),
    );
    for (const { status } of replies) sessionStatuses.add(status);
    return replies.map(({ status }) => status);
  };
  while (!isOver()) {
    await look();
    await pause(ASK_EVERY_MS);
  }
  const last = await look();
  for (const wire of wires) wire.close();
  return [
    ...[...sessionStatuses].filter((status) => ![401, 503].includes(status)),
    ...last.filter((one) => one !== 401),
  ].map((status) => `a session that was signed out is answered ${status}`);
}

const RTO_GOAL_MS = 10_000;
const RTO_STRETCH_MS = 3000;

/** The primary loses power; its standby has every acknowledged write. */
const primaryLost: Scenario = {
  ids: ['L3', 'R6'],
  name: "The database's primary is killed under load, its standby takes over",
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const rounds = drill.rounds(3, 10);
    const stale: string[] = [];
    const { result, leftovers, ledger, samples } = await underLoad(stage, async (load) => {
      stage.mailbox.excuseRepeats(true);
      const outages: Outage[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const cookie = await signOutSomebody(stage);
        const watching = watch(stage);
        const at = performance.now();
        let isOver = false;
        const asking = brokenSignOut(stage, cookie, () => isOver);
        try {
          await stage.database.killPrimary();
          await watching;
          outages.push(await overcome(stage, load, at));
        } finally {
          isOver = true;
          stale.push(...(await asking));
        }
        await stage.database.rejoin();
        await pause(SETTLE_MS);
      }
      return outages;
    });
    const durations = outageDurations(result, samples);
    const slowest = slowestOf(samples);
    const tooSlow = longest([...durations, slowest]) > RTO_GOAL_MS ? ['too slow'] : [];
    const breaches = [
      ...leftovers,
      ...tooSlow,
      ...rudeness(samples),
      ...(await stage.breaches({ ledgers: [ledger] })),
    ];
    const summary = `${rounds} failovers, ${ledgerSummary(ledger)}; back after ${spread(durations)}; slowest answer ${seconds(slowest)}`;
    return [
      drill.figure({ id: 'L3', ...unless([...breaches, ...stale], summary) }),
      drill.figure({
        id: 'R6',
        ...unless(breaches, summary),
        reachesStretch: longest(durations) <= RTO_STRETCH_MS,
      }),
    ];
  },
};

/** One second for a connection, one for a lock, and four until an unanswered commit is given up. */
const COMMIT_PATIENCE_MS = 6000;
const BACK_GOAL_MS = 5000;

/** The standby loses power: commits wait for it, until it returns or the primary continues alone. */
const standbyLost: Scenario = {
  ids: ['L14'],
  name: "The database's standby is killed under load",
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const rounds = drill.rounds(2, 4);
    const lasts = drill.seconds(10, 30);
    const { result, leftovers, ledger, samples } = await underLoad(stage, async (load) => {
      const outages: { readonly lostAt: number; readonly back: Outage }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const isDoneWithout = round % 2 === 1;
        await stage.database.killStandby();
        const lostAt = performance.now();
        await pause(1000 * lasts);
        if (isDoneWithout) stage.database.goAlone();
        else await stage.database.startStandby();
        outages.push({ lostAt, back: await overcome(stage, load, performance.now()) });
        if (isDoneWithout) await stage.database.startStandby();
        await pause(SETTLE_MS);
      }
      return outages;
    });
    const meanwhile = result.flatMap(({ lostAt, back }) => within(samples, lostAt, back.from));
    const reads = meanwhile.filter(({ kind }) => kind === 'read');
    const writes = meanwhile.filter(({ kind }) => kind !== 'read');
    const slowest = slowestOf(writes);
    const durations = outageDurations(
      result.map(({ back }) => back),
      samples,
    );
    const breaches = [
      ...leftovers,
      ...(failuresIn(reads).length > 0 ? [`reads were answered ${statuses(failuresIn(reads))}`] : []),
      ...rudeness(writes),
      ...(failuresIn(writes).length === 0 ? ['no write had to wait for the standby'] : []),
      ...(slowest > COMMIT_PATIENCE_MS ? [`a write was answered after ${seconds(slowest)}`] : []),
      ...(longest(durations) > BACK_GOAL_MS ? [`recovery took ${seconds(longest(durations))}`] : []),
      ...(await stage.breaches({ ledgers: [ledger] })),
    ];
    const summary =
      `standby lost ${rounds} times for ${lasts} s: reads ${statuses(reads)}, writes ${statuses(writes)}, slowest ${seconds(slowest)}; ` +
      `${ledgerSummary(ledger)}; recovery ${spread(durations)}`;
    return [drill.figure({ id: 'L14', ...unless(breaches, summary) })];
  },
};

const RESTART_GOAL_MS = 15_000;
const RESTART_STRETCH_MS = 5000;

/** The database stops without notice and has to recover when it starts. */
const restarts: Scenario = {
  ids: ['R7'],
  name: 'The database is restarted at once, under load',
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const rounds = drill.rounds(3, 10);
    const { result, leftovers, ledger, samples } = await underLoad(stage, async (load) => {
      stage.mailbox.excuseRepeats(true);
      const outages: Outage[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const at = performance.now();
        await stage.database.stopImmediately();
        stage.database.startPrimary();
        outages.push(await overcome(stage, load, at));
        await pause(2 * SETTLE_MS);
      }
      return outages;
    });
    const durations = outageDurations(result, samples);
    const slowest = slowestOf(samples);
    const breaches = [...leftovers, ...rudeness(samples), ...(await stage.breaches({ ledgers: [ledger] }))];
    if (longest([...durations, slowest]) > RESTART_GOAL_MS) breaches.push('too slow');
    const summary = `${rounds} restarts, ${ledgerSummary(ledger)}; back after ${spread(durations)}; ${statuses(failuresIn(samples))}, slowest answer ${seconds(slowest)}`;
    return [
      drill.figure({
        id: 'R7',
        ...unless(breaches, summary),
        reachesStretch: longest(durations) <= RESTART_STRETCH_MS,
      }),
    ];
  },
};

export const failovers: readonly Scenario[] = [primaryLost, standbyLost, restarts];
