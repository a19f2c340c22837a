import { setTimeout as pause } from 'node:timers/promises';
import { longest, seconds, told, underLoad } from './crashes.ts';
import { failed, type Load, signInCall } from './load.ts';
import { until } from './processes.ts';
import { type Scenario, unless } from './scenario.ts';
import type { Stage } from './stage.ts';
import { cookieFrom, wireTo } from './wire.ts';

const LOOK_EVERY_MS = 200;
const MISSES_MAX = 2;
const RECOVERY_LIMIT_MS = 60_000;
const SETTLE_MS = 1000;
const ASK_EVERY_MS = 20;

/** What Patroni or repmgr do in earnest: whoever misses the primary twice has the standby take its place. */
async function watch(stage: Stage) {
  for (let misses = 0; misses < MISSES_MAX; await pause(LOOK_EVERY_MS))
    misses = (await stage.database.answers()) ? 0 : misses + 1;
  stage.database.promote();
}

/** How long after a moment the first write was sent that was acknowledged. */
async function firstWriteAfter(load: Load, since: number): Promise<number> {
  const isWritten = () =>
    load.samples.find(({ kind, at, status }) => kind === 'write' && at > since && status === 200);
  await until('a write is acknowledged again', RECOVERY_LIMIT_MS, () => isWritten() !== undefined, 10);
  return (isWritten()?.at ?? Number.NaN) - since;
}

/** A session that was signed out a moment before, to be asked for at every process. */
async function signedOut(stage: Stage): Promise<string> {
  const person = stage.spares[Math.floor(Math.random() * stage.spares.length)];
  if (!person) throw new Error('there is nobody');
  const signedIn = await stage.wire.ask(signInCall(person));
  const cookie = `portico=${cookieFrom(signedIn, 'portico')}`;
  const left = await stage.wire.ask({ method: 'DELETE', path: '/api/logout', cookie, body: {} });
  if (left.status !== 200) throw new Error(`signing out was ${left.status}`);
  return cookie;
}

/** Asks all processes for a session that has ended, until somebody says that it is over: none may take it, at last all refuse it. */
async function staleAt(stage: Stage, cookie: string, isOver: () => boolean): Promise<string[]> {
  const host = new URL(stage.url).host;
  const wires = stage.portals.map(({ url }) => wireTo(url, { host }));
  const seen = new Set<number>();
  const look = async () => {
    const replies = await Promise.all(
      wires.map((wire) => wire.ask({ method: 'GET', path: '/api/orgs', cookie })),
    );
    for (const { status } of replies) seen.add(status);
    return replies.map(({ status }) => status);
  };
  while (!isOver()) {
    await look();
    await pause(ASK_EVERY_MS);
  }
  const last = await look();
  for (const wire of wires) wire.close();
  return [
    ...[...seen].filter((status) => ![401, 503].includes(status)),
    ...last.filter((one) => one !== 401),
  ].map((status) => `a session that was signed out is answered ${status}`);
}

const RTO_GOAL_MS = 10_000;
const RTO_STRETCH_MS = 3000;

/** The primary loses its power; its standby has all that was acknowledged. */
const primaryLost: Scenario = {
  ids: ['L3', 'R6'],
  name: "The database's primary is killed under load, its standby takes over",
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const rounds = drill.rounds(3, 10);
    const stale: string[] = [];
    const { result, kept, ledger } = await underLoad(stage, async (load) => {
      const outages: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const cookie = await signedOut(stage);
        const watching = watch(stage);
        const at = performance.now();
        let isOver = false;
        const asking = staleAt(stage, cookie, () => isOver);
        await stage.database.killPrimary();
        await watching;
        outages.push(await firstWriteAfter(load, at));
        isOver = true;
        stale.push(...(await asking));
        await stage.database.rejoin();
        await pause(SETTLE_MS);
      }
      return outages;
    });
    const tooSlow = longest(result) > RTO_GOAL_MS ? ['too slow'] : [];
    const broken = [...kept, ...tooSlow, ...(await stage.broken(ledger))];
    const measured = `${rounds} failovers, ${told(ledger)}; writes again after ${result.map(seconds).join(', ')}`;
    return [
      drill.figure({
        id: 'L3',
        ...unless([...broken, ...stale], measured),
      }),
      drill.figure({
        id: 'R6',
        ...unless(broken, measured),
        stretched: longest(result) <= RTO_STRETCH_MS,
      }),
    ];
  },
};

const RESTART_GOAL_MS = 15_000;
const RESTART_STRETCH_MS = 5000;

/** The database ends without a word to anybody and has to recover at its start. */
const restarted: Scenario = {
  ids: ['R7'],
  name: 'The database is restarted at once, under load',
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const rounds = drill.rounds(3, 10);
    const { result, kept, ledger, samples } = await underLoad(stage, async (load) => {
      const outages: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const at = performance.now();
        await stage.database.stopImmediately();
        stage.database.startPrimary();
        outages.push(await firstWriteAfter(load, at));
        await pause(2 * SETTLE_MS);
      }
      return outages;
    });
    const broken = [...kept, ...(await stage.broken(ledger))];
    if (longest(result) > RESTART_GOAL_MS) broken.push('too slow');
    const measured = `${rounds} restarts, ${told(ledger)}; writes again after ${result.map(seconds).join(', ')}; ${failed(samples).length} requests failed`;
    return [
      drill.figure({
        id: 'R7',
        ...unless(broken, measured),
        stretched: longest(result) <= RESTART_STRETCH_MS,
      }),
    ];
  },
};

export const failovers: readonly Scenario[] = [primaryLost, restarted];
