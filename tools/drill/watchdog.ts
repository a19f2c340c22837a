import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#server/testing/ports.ts';
import { seconds } from './crashes.ts';
import { runInside } from './inspector.ts';
import { Ledger } from './ledger.ts';
import { failed, startLoad, statuses, within } from './load.ts';
import { atEachPlace, type Place } from './place.ts';
import { type Portico, until } from './processes.ts';
import type { Drill, Scenario } from './scenario.ts';

const BLOCKED_MS = 3000;
const RESTART_GOAL_MS = 5000;
const RATE = 50;
const mix = { writes: 15, signIns: 0 };
const USUAL_FIRST_MS = 2000;
/** Until the balancer sends it requests again, and slowly. */
const SEEN_AGAIN_MS = 5000;

/** What a process says of its readiness, asked as a balancer asks: 0 when it says nothing for a second. */
const readiness = ({ url }: Portico) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    },
    () => 0,
  );

async function watched(place: Place, inspected: number) {
  const [first] = place.portals;
  if (!first) throw new Error('there is no process');
  // Asked alone, or what waits for it would be served before it says that it was behind.
  const broken = await blocked(first, inspected);
  const ledger = new Ledger();
  await using load = startLoad({ wire: place.wire, people: place.people, rate: RATE, mix, ledger });
  await pause(USUAL_FIRST_MS);
  const fullAt = performance.now();
  place.excuseRepeats();
  const { outAt, backMs } = await fullOfMemory(first, inspected);
  const backAt = outAt + backMs;
  if (place.kind === 'balanced') await pause(SEEN_AGAIN_MS);
  await pause(USUAL_FIRST_MS);
  const samples = await load.stop();
  const failures = failed(samples);
  // What one has that ends is cut.
  const strange = [...within(failures, 0, fullAt), ...within(failures, backAt)];
  if (strange.length > 0) broken.push(`before and after its end there were ${statuses(strange)}`);
  if (backMs > RESTART_GOAL_MS) broken.push(`the restart took ${seconds(backMs)}`);
  broken.push(...(await place.broken({ ledgers: [ledger] })));
  const measured = `not ready while it is blocked ${BLOCKED_MS / 1000} s nor right after, ready again by itself; out of memory it ended and was ready again ${seconds(backMs)} after; of ${samples.length} calls at ${RATE} a second ${failures.length} failed around its end`;
  return [{ id: 'L12', broken, measured } as const];
}

/** A process that is busy with itself is not sent anybody, and one whose memory is full is replaced. */
const watchdog: Scenario = {
  ids: ['L12'],
  name: 'A process blocks, and one fills its memory',
  needs: 'places',
  async run(drill: Drill) {
    const inspected = await freePort();
    const flags = [`--inspect=127.0.0.1:${inspected}`, '--max-old-space-size=192'];
    return atEachPlace(drill, 'watchdog', (place) => watched(place, inspected), { flags });
  },
};

async function blocked(one: Portico, inspected: number): Promise<string[]> {
  const { pid } = one.program();
  await runInside(inspected, `const end = Date.now() + ${BLOCKED_MS}; while (Date.now() < end);`);
  const seen: number[] = [];
  const end = performance.now() + BLOCKED_MS;
  while (performance.now() < end) seen.push(await readiness(one));
  await until('it is ready again', 10_000, async () => {
    seen.push(await readiness(one));
    return seen.at(-1) === 200;
  });
  const broken: string[] = [];
  // What was asked before it blocked was answered.
  const from = seen.findIndex((status) => status !== 200);
  if (seen.slice(from, -1).includes(200)) broken.push(`while it was blocked it said ${seen.join()}`);
  if (!seen.includes(503)) broken.push('it never said that it is behind');
  if (one.program().pid !== pid || !one.program().isRunning()) broken.push('it ended');
  return broken;
}

async function fullOfMemory(one: Portico, inspected: number) {
  await runInside(
    inspected,
    'globalThis.held = []; for (;;) held.push(new Array(1000).fill({}).map(() => ({})));',
  );
  const end = await one.program().ended;
  // What Node does at its limit; whatever else ended it was something else.
  if (end !== 'SIGABRT') throw new Error(`it ended with ${end}`);
  const outAt = performance.now();
  one.launch();
  await one.ready();
  return { outAt, backMs: performance.now() - outAt };
}

export const watchdogs: readonly Scenario[] = [watchdog];
