import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '#tools/postgres.ts';
import { startBetterAuth } from './better-auth.ts';
import { cpuMsOf, memoryMibOf, send } from './load.ts';
import { startOn, startPortico } from './portico.ts';
import { type Ask, type CallName, calls, type Side, startServer } from './sides.ts';

// What the hot calls cost the server, beside Better Auth and beside what nothing can be cheaper than. Each server is a
// process of its own on one PostgreSQL; they take turns, so that what else the machine does hits all alike.

const ROUNDS = 7;
/** A server that has been up for a while runs compiled code, and its figures are what counts: each call is asked for so long before. */
const WARM_UP_MS = 5000;
/** By then the start is over, and what it left is cleared away. */
const REST_MS = 12_000;
const MAILED_MS = 500;
const STORM = { count: 200, atOnce: 32 };

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const postgres = await startPostgres();
if (!postgres) throw new Error('PostgreSQL not found: it is what all sides are measured on.');
process.env['TEST_ENGINE'] = 'postgres';
process.env['TEST_POSTGRES_URL'] = postgres.url;

const portico = await startPortico();
const sides = { portico, betterAuth: await startBetterAuth(), floor: await startFloor() };
type SideName = keyof typeof sides;

async function startFloor(): Promise<Side> {
  const server = await startServer('floor.ts', { DATABASE_URL: portico.databaseUrl });
  const hash = { ask: () => ({ path: '/hash' }), times: 8 };
  const check = portico.asks['session check'];
  return {
    ...server,
    asks: {
      ...(check && { 'session check': check, 'session check, one at a time': check }),
      'sign-in': hash,
      'sign-up': hash,
    },
  };
}

let sent = 0;
async function some(count: number, { port }: Side, name: CallName, { ask }: Ask) {
  const from = sent;
  sent += count;
  await send(port, count, calls[name].atOnce, (nth) => ask(from + nth));
}

/** How many requests a round sends, of which one may do what is measured several times. */
const requestsOf = (name: CallName, { times = 1 }: Ask) => Math.ceil(calls[name].count / times);

/** Milliseconds of the server's CPU that one of so many requests takes. */
async function cpuPerRequest(server: Side, name: CallName, asked: Ask): Promise<number> {
  const requests = requestsOf(name, asked);
  // It rested while the others had their turn, and is slow to wake; that is not what is asked.
  await some(Math.ceil(requests / 4), server, name, asked);
  if ('mails' in calls[name]) await pause(MAILED_MS);
  const before = cpuMsOf(server.pid);
  await some(requests, server, name, asked);
  // They leave after the answer, and belong to what asked for them.
  if ('mails' in calls[name]) await pause(MAILED_MS);
  return (cpuMsOf(server.pid) - before) / requests / (asked.times ?? 1);
}

const measured = new Map<string, number[]>();
const names = Object.keys(calls) as CallName[];
const each = names.flatMap((name) =>
  Object.entries(sides).flatMap(([side, server]) => {
    const asked = server.asks[name];
    return asked ? [{ name, side, server, asked }] : [];
  }),
);
for (const { name, server, asked } of each)
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end;)
    await some(requestsOf(name, asked), server, name, asked);
for (let round = 0; round < ROUNDS; round += 1)
  for (const { name, side, server, asked } of each) {
    const known = measured.get(`${side} ${name}`) ?? [];
    measured.set(`${side} ${name}`, [...known, await cpuPerRequest(server, name, asked)]);
  }

const costOf = (side: SideName, name: CallName) => median(measured.get(`${side} ${name}`) ?? []);
const shown = (value: number, unit: string, digits = 1) =>
  (Number.isNaN(value) ? '–' : `${value.toFixed(digits)}${unit}`).padStart(12);
console.log(`Server CPU per request; median of ${ROUNDS} interleaved rounds; – has no such call`);
console.log(
  ''.padEnd(30) +
    ['Portico', 'Better Auth', 'dearer', 'floor', '× floor'].map((head) => head.padStart(12)).join(''),
);
for (const name of names) {
  const [own, other, least] = [costOf('portico', name), costOf('betterAuth', name), costOf('floor', name)];
  console.log(
    name.padEnd(30) +
      [shown(own, ' ms', 3), shown(other, ' ms', 3), shown(other / own, ' ×'), shown(least, ' ms', 3)].join(
        '',
      ) +
      shown(own / least, ' ×', 2),
  );
}

/** What the process tells of itself: it forgets the delay of its event loop each time it has told it. */
async function loopDelayP99Ms(): Promise<number> {
  const told = await (await fetch(`http://127.0.0.1:${portico.port}/metrics`)).text();
  const [, seconds] = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(told) ?? [];
  return Number(seconds) * 1000;
}
await loopDelayP99Ms();
const signIn = portico.asks['sign-in'];
if (signIn) await send(portico.port, STORM.count, STORM.atOnce, signIn.ask);
console.log(
  `Event loop, p99 delay while ${STORM.atOnce} at a time sign in: ${(await loopDelayP99Ms()).toFixed(1)} ms`,
);
console.log(`Memory after all of it: ${memoryMibOf(portico.pid).toFixed(0)} MiB`);

await Promise.all(Object.values(sides).map((side) => side.stop()));

const resting = await startOn(portico.databaseUrl);
await pause(REST_MS);
console.log(`Memory at rest after a start: ${memoryMibOf(resting.pid).toFixed(0)} MiB`);
resting.kill('SIGTERM');
await resting.ended;
await postgres.stop();
