import { setTimeout as pause } from 'node:timers/promises';
import { lastFailure, longest, seconds, slowestOf, spread, ledgerSummary, underLoad } from './crashes.ts';
import { failuresIn, type Load, type Sample, signInCall, statuses, within } from './load.ts';
import { waitForRecovery, rudeness } from './outages.ts';
import type { Drill, Part, Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import { cookieFrom, wireTo } from './wire.ts';

const LOOK_EVERY_MS = 200;
const MISSES_MAX = 2;
const SETTLE_MS = 2000;
const ASK_EVERY_MS = 20;

/** Does what Patroni or repmgr do: promotes the standby after the primary has failed consecutive checks. */
async function watch(stage: Stage) {
  for (let misses = 0; misses < MISSES_MAX; await pause(LOOK_EVERY_MS))
    misses = (await stage.database.answers()) ? 0 : misses + 1;
  stage.database.promote();
}

interface Outage {
  readonly from: number;
  readonly readyAt: number;
  readonly to: number;
}

async function overcome({ portals }: Stage, load: Load, from: number): Promise<Outage> {
  for (const one of portals) await one.ready();
  const readyAt = performance.now();
  await waitForRecovery(load, from, ({ kind, status }) => kind === 'write' && status === 200);
  return { from, readyAt, to: performance.now() };
}

/** The duration of each outage. It ends when both processes are ready and the last failed request has started. */
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

/** Until `isOver` no process may accept an ended session, and finally all must refuse it. */
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

/** Takes the primary away time after time under load; the longest outage may take `goalMs`. */
async function timeAfterTime(
  drill: Drill,
  what: string,
  goalMs: number,
  takeAway: (load: Load) => Promise<Outage>,
): Promise<Part> {
  const { stage } = drill;
  const rounds = drill.rounds(3, 10);
  const { result, leftovers, ledger, samples } = await underLoad(stage, async (load) => {
    stage.mailbox.excuseRepeats(true);
    const outages: Outage[] = [];
    for (let round = 0; round < rounds; round += 1) {
      outages.push(await takeAway(load));
      await pause(SETTLE_MS);
    }
    return outages;
  });
  const durations = outageDurations(result, samples);
  const slowest = slowestOf(samples);
  const breaches = [
    ...leftovers,
    ...(longest([...durations, slowest]) > goalMs ? ['too slow'] : []),
    ...rudeness(samples),
    ...(await stage.breaches({ ledgers: [ledger] })),
  ];
  const summary =
    `${rounds} ${what}, ${ledgerSummary(ledger)}; back after ${spread(durations)}; ` +
    `${statuses(failuresIn(samples))}, slowest answer ${seconds(slowest)}`;
  return { breaches, summary };
}

/** The primary loses power; its standby has every acknowledged write. */
const primaryLost: Scenario = {
  ids: ['L3', 'R6'],
  name: "The database's primary is killed under load, its standby takes over",
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const stale: string[] = [];
    const { breaches, summary } = await timeAfterTime(drill, 'failovers', 10_000, async (load) => {
      const cookie = await signOutSomebody(stage);
      const watching = watch(stage);
      const at = performance.now();
      let isOver = false;
      const asking = brokenSignOut(stage, cookie, () => isOver);
      try {
        await stage.database.killPrimary();
        await watching;
        return await overcome(stage, load, at);
      } finally {
        isOver = true;
        stale.push(...(await asking));
        await stage.database.rejoin();
      }
    });
    return { breaches: [...breaches, ...stale], summary };
  },
};

/** The database stops without notice and has to recover when it starts. */
const restarts: Scenario = {
  ids: ['R7'],
  name: 'The database is restarted at once, under load',
  needs: 'cluster',
  run: (drill) =>
    timeAfterTime(drill, 'restarts', 15_000, async (load) => {
      const { stage } = drill;
      const at = performance.now();
      await stage.database.stopImmediately();
      stage.database.startPrimary();
      return overcome(stage, load, at);
    }),
};

export const failovers: readonly Scenario[] = [primaryLost, restarts];
