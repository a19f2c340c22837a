import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '#tools/postgres.ts';
import { memoryMibOf, send } from './load.ts';
import { startPortico } from './portico.ts';
import { type CallName, calls } from './sides.ts';

// Whether memory stays flat: every call again and again for so many minutes, and what the process then holds.
// `npm run bench -- memory --minutes 60`.

/** Calls that fill no table without an end; sign-in replaces a person's oldest session once there are twenty. */
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
const SAMPLES = 12;
/** The last third may be above the middle one by so much: a heap is never quite the same twice. */
const GROWTH_MAX = 1.05;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes: got ${values.minutes}, takes a number above 0`);

const postgres = await startPostgres();
if (!postgres) throw new Error('PostgreSQL not found.');
process.env['TEST_ENGINE'] = 'postgres';
process.env['TEST_POSTGRES_URL'] = postgres.url;
const portico = await startPortico();

const sampled: number[] = [];
const began = performance.now();
let sent = 0;
for (let nth = 1; nth <= SAMPLES; nth += 1) {
  while (performance.now() - began < (minutes * 60_000 * nth) / SAMPLES)
    for (const name of lasting) {
      const { count, atOnce } = calls[name];
      const from = sent;
      const { ask } = portico.asks[name] ?? {};
      if (ask) await send(portico.port, Math.ceil(count / 4), atOnce, (at) => ask(from + at));
      sent += count;
      // Neither a flood nor a rest; limits of an hour stay far away.
      await pause(200);
    }
  sampled.push(memoryMibOf(portico.pid));
  console.log(`${((minutes * nth) / SAMPLES).toFixed(1).padStart(6)} min ${sampled.at(-1)?.toFixed(0)} MiB`);
}
await portico.stop();
await postgres.stop();

const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
const third = SAMPLES / 3;
const growth = mean(sampled.slice(-third)) / mean(sampled.slice(third, 2 * third));
console.log(
  `The last third holds ${growth.toFixed(2)} × the middle one: ${growth <= GROWTH_MAX ? 'flat' : 'it grows'}`,
);
process.exitCode = growth <= GROWTH_MAX ? 0 : 1;
