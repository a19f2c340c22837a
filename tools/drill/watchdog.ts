import { freePort } from '#server/testing/ports.ts';
import { seconds } from './crashes.ts';
import { runInside } from './inspector.ts';
import { type Portico, portico, until } from './processes.ts';
import { type Drill, type Scenario, unless } from './scenario.ts';

const BLOCKED_MS = 3000;
const RESTART_GOAL_MS = 5000;

/** What a process says of its readiness, asked as a balancer asks: 0 when it says nothing for a second. */
const readiness = ({ url }: Portico) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    },
    () => 0,
  );

/** A process that is busy with itself is not sent anybody, and one whose memory is full is replaced. */
const watchdog: Scenario = {
  ids: ['L12'],
  name: 'A process blocks, and one fills its memory',
  needs: 'cluster',
  async run(drill: Drill) {
    const inspected = await freePort();
    const flags = [`--inspect=127.0.0.1:${inspected}`, '--max-old-space-size=192'];
    const third = await portico(drill.folder('third'), drill.stage.environment, flags);
    third.launch();
    try {
      await third.ready();
      const broken = await blocked(third, inspected);
      const backMs = await fullOfMemory(third, inspected);
      if (backMs > RESTART_GOAL_MS) broken.push('the restart was too slow');
      broken.push(...(await drill.stage.broken()));
      const measured = `not ready while it is blocked ${BLOCKED_MS / 1000} s nor right after, ready again by itself; out of memory it ended and was ready again ${seconds(backMs)} after`;
      return [
        drill.figure({
          id: 'L12',
          ...unless(broken, measured),
        }),
      ];
    } finally {
      await third.program().end('SIGKILL');
    }
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

async function fullOfMemory(one: Portico, inspected: number): Promise<number> {
  await runInside(
    inspected,
    'globalThis.held = []; for (;;) held.push(new Array(1000).fill({}).map(() => ({})));',
  );
  const end = await one.program().ended;
  // What Node does at its limit; whatever else ended it was something else.
  if (end !== 'SIGABRT') throw new Error(`it ended with ${end}`);
  const began = performance.now();
  one.launch();
  await one.ready();
  return performance.now() - began;
}

export const watchdogs: readonly Scenario[] = [watchdog];
