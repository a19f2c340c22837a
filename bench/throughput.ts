import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '#tools/postgres.ts';
import { startBetterAuth } from './better-auth.ts';
import { cpuMsOf, memoryMibOf, send } from './load.ts';
import { type Goal, goalsMissed, markOf, median } from './measure.ts';
import { startOn, startPortico } from './portico.ts';
import { type Ask, type CallName, calls, type Side, startServer } from './sides.ts';

// The server CPU of the hot calls, compared with Better Auth and with a minimal floor. Each server is its own
// process on one PostgreSQL. They take turns, so that other load on the machine hits all alike.

const ROUNDS = 7;
/** Each call runs this long before it is measured, because only compiled code counts. */
const WARM_UP_MS = 5000;
/** After this rest the start-up work and its garbage are gone. */
const REST_MS = 12_000;
const MAILED_MS = 500;
const STORM = { count: 200, atOnce: 32 };

/**
 * How much more Better Auth costs than Portico, and Portico than the floor. docs/performance.md explains each
 * goal with `isMissed`.
 */
const goals: Partial<Record<CallName, { readonly dearer?: Goal; readonly ofFloor?: Goal }>> = {
  'session check': { dearer: { atLeast: 10 }, ofFloor: { atMost: 1.7 } },
  'own sessions': { dearer: { atLeast: 7 } },
  '50 of 1,000 members': { dearer: { atLeast: 5.5 } },
  'permission save': { dearer: { atLeast: 1.5, isMissed: true } },
  invite: { dearer: { atLeast: 1, isMissed: true } },
  'sign-in': { ofFloor: { atMost: 1.2, isMissed: true } },
  'sign-up': { ofFloor: { atMost: 1.35, isMissed: true } },
};
const LOOP_DELAY_MS: Goal = { atMost: 50 };
const MEMORY_AT_REST_MIB: Goal = { atMost: 120, isMissed: true };

const postgres = await startPostgres();
if (!postgres) throw new Error('PostgreSQL not found: it is what all sides are measured on.');
process.env['TEST_ENGINE'] = 'postgres';
process.env['TEST_POSTGRES_URL'] = postgres.url;

const portico = await startPortico();
const sides = { portico, betterAuth: await startBetterAuth(), floor: await startFloor() };
type SideName = keyof typeof sides;

async function startFloor(): Promise<Side> {
  const server = await startServer('floor.ts', { DATABASE_URL: portico.databaseUrl });
  const hash = { ask: () => ({ path: '/hash' }), times: 8, requests: 16 };
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

let nextRequest = 0;
async function some(count: number, { port }: Side, name: CallName, { ask }: Ask) {
  const from = nextRequest;
  nextRequest += count;
  await send(port, count, calls[name].atOnce, (nth) => ask(from + nth));
}

const requestsOf = (name: CallName, { requests = calls[name].count }: Ask) => requests;

/** CPU milliseconds of the server per request. */
async function cpuPerRequest(server: Side, name: CallName, request: Ask): Promise<number> {
  const requests = requestsOf(name, request);
  // An idle server is slow at first, so wake it before measuring.
  await some(Math.ceil(requests / 4), server, name, request);
  if ('mails' in calls[name]) await pause(MAILED_MS);
  const before = cpuMsOf(server.pid);
  await some(requests, server, name, request);
  // Mails are sent after the answer, but their cost belongs to the call.
  if ('mails' in calls[name]) await pause(MAILED_MS);
  return (cpuMsOf(server.pid) - before) / requests / (request.times ?? 1);
}

const samples = new Map<string, number[]>();
const names = Object.keys(calls) as CallName[];
const each = names.flatMap((name) =>
  Object.entries(sides).flatMap(([side, server]) => {
    const request = server.asks[name];
    return request ? [{ name, side, server, request }] : [];
  }),
);
for (const { name, server, request } of each)
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end;)
    await some(requestsOf(name, request), server, name, request);
for (let round = 0; round < ROUNDS; round += 1)
  for (const { name, side, server, request } of each) {
    const earlier = samples.get(`${side} ${name}`) ?? [];
    samples.set(`${side} ${name}`, [...earlier, await cpuPerRequest(server, name, request)]);
  }

const costOf = (side: SideName, ...names: readonly CallName[]) =>
  median(names.flatMap((name) => samples.get(`${side} ${name}`) ?? []));
/** Calls whose floor is a hash, measured beside each. */
const hashing: readonly CallName[] = ['sign-in', 'sign-up'];
const floorOf = (name: CallName) => costOf('floor', ...(hashing.includes(name) ? hashing : [name]));
const cell = (value: number, unit: string, digits: number, mark = '') =>
  (Number.isNaN(value) ? '–' : `${value.toFixed(digits)}${unit}${mark}`).padStart(18);

console.log(`Server CPU per request; median of ${ROUNDS} interleaved rounds; – has no such call`);
const heads = ['Portico', 'Better Auth', 'dearer', 'floor', '× floor'];
console.log(''.padEnd(30) + heads.map((head) => head.padStart(18)).join(''));
for (const name of names) {
  const [own, other, least] = [costOf('portico', name), costOf('betterAuth', name), floorOf(name)];
  const { dearer, ofFloor } = goals[name] ?? {};
  console.log(
    name.padEnd(30) +
      cell(own, ' ms', 3) +
      cell(other, ' ms', 3) +
      cell(other / own, ' ×', 1, markOf(`${name}, beside Better Auth`, other / own, dearer)) +
      cell(least, ' ms', 3) +
      cell(own / least, ' ×', 2, markOf(`${name}, beside the floor`, own / least, ofFloor)),
  );
}

/** The p99 of the event-loop delay from the process's own metrics, which reset with each read. */
async function loopDelayP99Ms(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${portico.port}/metrics`)).text();
  const [, seconds] = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text) ?? [];
  return Number(seconds) * 1000;
}
const report = (what: string, value: number, goal?: Goal) =>
  console.log(`${what}: ${value.toFixed(1)}${markOf(what, value, goal)}`);
await loopDelayP99Ms();
const signIn = portico.asks['sign-in'];
if (signIn) await send(portico.port, STORM.count, STORM.atOnce, signIn.ask);
report(
  `Event loop, p99 delay while ${STORM.atOnce} at a time sign in, ms`,
  await loopDelayP99Ms(),
  LOOP_DELAY_MS,
);
report('Memory after all of it, MiB', memoryMibOf(portico.pid));

await Promise.all(Object.values(sides).map((side) => side.stop()));

const resting = await startOn(portico.databaseUrl);
await pause(REST_MS);
report('Memory at rest after a start, MiB', memoryMibOf(resting.pid), MEMORY_AT_REST_MIB);
resting.kill('SIGTERM');
await resting.ended;
await postgres.stop();

process.exitCode = goalsMissed() > 0 ? 1 : 0;
