import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '#server/testing/ports.ts';
import { startPostgres } from '#tools/postgres.ts';
import { inspect } from './inspector.ts';
import { memoryMibOf, send } from './load.ts';
import { median } from './measure.ts';
import { startPortico } from './portico.ts';
import { type CallName, calls } from './sides.ts';

// Checks that memory stays flat: repeats every call for some minutes and measures the process's memory.
// `npm run bench -- memory --minutes 60`.

/** Calls that do not grow a table forever. Sign-in replaces a person's oldest session once there are twenty. */
const lasting: readonly CallName[] = [
  'session check',
  'init',
  'own sessions',
  '50 of 1,000 members',
  'activity page',
  'permission save',
  'picture fetch',
  'sign-in',
];
const SAMPLES = 24;
/** The first samples are taken while code is still compiled and pools fill. */
const WARM_UP = SAMPLES / 3;
/** Accepted growth from the end of the warm-up to the end. `inRam` depends on when Node collects. */
const GROWTH_MAX = { alive: 0.03, inRam: 0.1 };

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes: got ${values.minutes}, takes a number above 0`);

const postgres = await startPostgres();
if (!postgres) throw new Error('PostgreSQL not found.');
process.env['TEST_ENGINE'] = 'postgres';
process.env['TEST_POSTGRES_URL'] = postgres.url;
const inspectorPort = await freePort();
const portico = await startPortico(`--inspect=127.0.0.1:${inspectorPort}`);
const inspector = await inspect(inspectorPort);

const samples: { readonly alive: number; readonly inRam: number }[] = [];
const began = performance.now();
let nextRequest = 0;
for (let nth = 1; nth <= SAMPLES; nth += 1) {
  while (performance.now() - began < (minutes * 60_000 * nth) / SAMPLES)
    for (const name of lasting) {
      const { count, atOnce } = calls[name];
      const from = nextRequest;
      const ask = portico.asks[name];
      if (ask) await send(portico.port, Math.ceil(count / 4), atOnce, (at) => ask(from + at));
      nextRequest += count;
      // A moderate load: steady, but far below the hourly limits.
      await pause(200);
    }
  const sample = { inRam: memoryMibOf(portico.pid), alive: await aliveMib() };
  samples.push(sample);
  const minute = ((minutes * nth) / SAMPLES).toFixed(1).padStart(6);
  console.log(`${minute} min ${sample.inRam.toFixed(0)} MiB in RAM, ${sample.alive.toFixed(1)} MiB alive`);
}
inspector.close();
await portico.stop();
await postgres.stop();

const steady = samples.slice(WARM_UP);
const verdicts = (['alive', 'inRam'] as const).map((what) => {
  const growth = growthOf(steady.map((sample) => sample[what]));
  const isFlat = growth <= GROWTH_MAX[what];
  const rate = `${(growth * 100).toFixed(1)} % in ${((minutes * 2) / 3).toFixed(1)} minutes`;
  console.log(`${what === 'alive' ? 'Alive' : 'In RAM'}: ${rate}: ${isFlat ? 'flat' : 'it grows'}`);
  return isFlat;
});
process.exitCode = verdicts.every(Boolean) ? 0 : 1;

async function aliveMib(): Promise<number> {
  await inspector.ask('HeapProfiler.collectGarbage');
  const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
  const { result } = (await inspector.ask('Runtime.evaluate', { expression })) as {
    result: { value: number };
  };
  return result.value / 2 ** 20;
}

/** Growth as a share of the median, by the median slope of all pairs (Theil and Sen), which outliers do not tilt. */
function growthOf(some: readonly number[]): number {
  const slopes = some.flatMap((value, at) =>
    some.slice(at + 1).map((later, steps) => (later - value) / (steps + 1)),
  );
  return (median(slopes) * (some.length - 1)) / median(some);
}
