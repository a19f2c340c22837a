import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#server/testing/ports.ts';
import { seconds } from './crashes.ts';
import { runInside } from './inspector.ts';
import { Ledger } from './ledger.ts';
import { failuresIn, startLoad, statuses, within } from './load.ts';
import { atEachSite, type Site } from './site.ts';
import { type Portico, until } from './processes.ts';
import type { Drill, Scenario } from './scenario.ts';

const BLOCKED_MS = 3000;
const RESTART_GOAL_MS = 5000;
const RATE = 50;
const mix = { writes: 15, signIns: 0 };
const USUAL_FIRST_MS = 2000;
/** Time until the balancer sends it requests again, with a margin. */
const SEEN_AGAIN_MS = 5000;

/** The readiness status with a balancer's timeout: 0 without an answer within a second. */
const readiness = ({ url }: Portico) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    },
    () => 0,
  );

async function runWatchdog(site: Site, inspectorPort: number) {
  const [first] = site.portals;
  if (!first) throw new Error('there is no process');
  // Without load, because waiting requests would be answered before the process reports that it was blocked.
  const breaches = await blockProcess(first, inspectorPort);
  const ledger = new Ledger();
  await using load = startLoad({ wire: site.wire, people: site.people, rate: RATE, mix, ledger });
  await pause(USUAL_FIRST_MS);
  const fullAt = performance.now();
  site.excuseRepeats();
  const { outAt, backMs } = await fillMemory(first, inspectorPort);
  const backAt = outAt + backMs;
  if (site.kind === 'balanced') await pause(SEEN_AGAIN_MS);
  await pause(USUAL_FIRST_MS);
  const samples = await load.stop();
  const failures = failuresIn(samples);
  // Requests in progress are cut when a process ends.
  const strange = [...within(failures, 0, fullAt), ...within(failures, backAt)];
  if (strange.length > 0) breaches.push(`before and after its end there were ${statuses(strange)}`);
  if (backMs > RESTART_GOAL_MS) breaches.push(`the restart took ${seconds(backMs)}`);
  breaches.push(...(await site.breaches({ ledgers: [ledger] })));
  const summary = `ready ${seconds(backMs)} after a full heap; ${failures.length} of ${samples.length} calls failed`;
  return [{ id: 'L12', breaches, summary } as const];
}

/** A blocked process gets no requests, and one whose memory is full is replaced. */
const watchdog: Scenario = {
  ids: ['L12'],
  name: 'A process blocks, and one fills its memory',
  needs: 'places',
  async run(drill: Drill) {
    const inspectorPort = await freePort();
    const flags = [`--inspect=127.0.0.1:${inspectorPort}`, '--max-old-space-size=192'];
    return atEachSite(drill, 'watchdog', (site) => runWatchdog(site, inspectorPort), { flags });
  },
};

async function blockProcess(portal: Portico, inspectorPort: number): Promise<string[]> {
  const { pid } = portal.program();
  await runInside(inspectorPort, `const end = Date.now() + ${BLOCKED_MS}; while (Date.now() < end);`);
  const readinesses: number[] = [];
  const end = performance.now() + BLOCKED_MS;
  while (performance.now() < end) readinesses.push(await readiness(portal));
  await until('it is ready again', 10_000, async () => {
    readinesses.push(await readiness(portal));
    return readinesses.at(-1) === 200;
  });
  const breaches: string[] = [];
  // Requests before the block were answered.
  const from = readinesses.findIndex((status) => status !== 200);
  if (readinesses.slice(from, -1).includes(200))
    breaches.push(`while it was blocked it said ${readinesses.join()}`);
  if (!readinesses.includes(503)) breaches.push('it never said that it is behind');
  if (portal.program().pid !== pid || !portal.program().isRunning()) breaches.push('it ended');
  return breaches;
}

async function fillMemory(portal: Portico, inspectorPort: number) {
  await runInside(
    inspectorPort,
    'globalThis.held = []; for (;;) held.push(new Array(1000).fill({}).map(() => ({})));',
  );
  const end = await portal.program().exit;
  // Node aborts at its heap limit; any other end has another cause.
  if (end !== 'SIGABRT') throw new Error(`it ended with ${end}`);
  const outAt = performance.now();
  portal.launch();
  await portal.ready();
  return { outAt, backMs: performance.now() - outAt };
}

export const watchdogs: readonly Scenario[] = [watchdog];
