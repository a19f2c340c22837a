import { randomInt } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ledgerSummary } from './crashes.ts';
import { startContests } from './contests.ts';
import { brokenInvariants } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { withDeps } from './people.ts';
import { type Portico, portico } from './processes.ts';
import type { Drill, Scenario } from './scenario.ts';
import { type Single, startSingle } from './single.ts';

const WRITES_A_SECOND = 50;

/** Sends requests from the first moment; returns the answers before readiness and the time to it. */
async function coldStart(portal: Portico) {
  portal.launch();
  const early = new Set<number>();
  const end = new AbortController();
  const asking = (async () => {
    while (!end.signal.aborted) {
      const answer = await fetch(`${portal.url}/readyz`).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer) early.add(answer.status);
      await pause(10);
    }
  })();
  const ms = await portal.ready();
  end.abort();
  await asking;
  return { ms, early };
}

/** Kills the portal during writes and starts it again. Returns the slowest start and all breaches. */
async function killUnderWrites(
  drill: Drill,
  { portal, people, contestants, wire }: Single,
  ledger: Ledger,
  rounds: number,
) {
  const breaches: string[] = [];
  let slowestMs = 0;
  await using contests = startContests({ wire, contestants, ledger });
  for (let round = 0; round < rounds; round += 1) {
    await using load = startLoad({
      wire,
      people,
      rate: WRITES_A_SECOND,
      mix: { writes: 100, signIns: 0 },
      ledger,
    });
    await pause(randomInt(100, 1000));
    await portal.program().end('SIGKILL');
    await load.stop();
    const { ms, early } = await coldStart(portal);
    slowestMs = Math.max(slowestMs, ms);
    for (const status of early)
      if (status !== 200 && status !== 503)
        breaches.push(`round ${round}: readyz said ${status} before it was ready`);
    if (ms > 5000) breaches.push(`round ${round}: it took ${ms.toFixed(0)} ms to open`);
    if (round % 10 === 9)
      drill.say(`${round + 1} kills, ${ledger.count('acknowledged')} writes acknowledged`);
  }
  await contests.stop();
  return { breaches, slowestMs };
}

const dataOf = (folder: string) => ({ DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'info' });

/** Kills the portal's first start at a random moment; the next start has to cope with the remains. */
async function killFirstBoots(drill: Drill, rounds: number) {
  const breaches: string[] = [];
  const folder = drill.folder('first-boots');
  const settings = dataOf(folder);
  const whole = await portico(folder, settings);
  whole.launch();
  const wholeMs = await whole.ready();
  await whole.program().end('SIGKILL');
  let slowestMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    rmSync(settings.DATA_DIR, { recursive: true });
    const portal = await portico(folder, settings);
    portal.launch();
    await pause(((round + Math.random()) / rounds) * wholeMs);
    await portal.program().end('SIGKILL');
    portal.launch();
    const ms = await portal.ready().catch((error: unknown) => {
      breaches.push(`round ${round}: ${String(error)}`);
      return 0;
    });
    slowestMs = Math.max(slowestMs, ms);
    if (ms > 5000) breaches.push(`round ${round}: it took ${ms.toFixed(0)} ms to open`);
    await portal.program().end();
    if (existsSync(path.join(settings.DATA_DIR, 'database.new')))
      breaches.push(`round ${round}: half a database lies about`);
    breaches.push(...(await withDeps(settings, (deps) => brokenInvariants(deps))));
  }
  return { breaches, slowestMs, wholeMs };
}

export const embeddedKill: Scenario = {
  ids: ['L5', 'R8', 'R18'],
  name: 'kill -9 on the embedded database',
  needs: 'alone',
  async run(drill) {
    const single = await startSingle(drill, 'embedded-kill');
    const ledger = new Ledger();
    const kills = drill.rounds(20, 50);
    const killed = await killUnderWrites(drill, single, ledger, kills);
    const invariants = await single.breaches({ ledgers: [ledger] });
    const boots = Math.min(drill.rounds(10, 20), 20);
    const first = await killFirstBoots(drill, boots);
    const summary =
      `${kills} kills at ${WRITES_A_SECOND} writes/s: ${ledgerSummary(ledger)}; ready in ≤ ${killed.slowestMs.toFixed(0)} ms; ` +
      `first start ${first.wholeMs.toFixed(0)} ms; ${boots} kills in first starts: opened in ≤ ${first.slowestMs.toFixed(0)} ms`;
    const breaches = [...killed.breaches, ...invariants, ...first.breaches];
    if (first.wholeMs > 5000) breaches.push(`a first start took ${first.wholeMs.toFixed(0)} ms`);
    return { breaches, summary };
  },
};
