import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '#tools/postgres.ts';
import { startBetterAuth } from './better-auth.ts';
import { cpuMsOf, memoryMibOf, send } from './load.ts';
import { type Goal, goalsMissed, markOf, median, table } from './measure.ts';
import { startOn, startPortico } from './portico.ts';
import { type Ask, type CallName, calls, type Side } from './sides.ts';

// The server CPU of the hot calls, beside Better Auth. Servers take turns, so that other load hits both alike.

const ROUNDS = 7;
/** Each call runs this long before it is measured, because only compiled code counts. */
const WARM_UP_MS = 5000;
/** After this rest the start-up work and its garbage are gone. */
const REST_MS = 12_000;
const MAILED_MS = 500;
const STORM = { count: 200, atOnce: 32 };

/** How much more Better Auth costs than Portico. docs/performance.md explains each goal with `isMissed`. */
const goals: Partial<Record<CallName, Goal>> = {
  'session check': { atLeast: 10 },
  'own sessions': { atLeast: 7 },
  '50 of 1,000 members': { atLeast: 5.5 },
  'permission save': { atLeast: 1.5, isMissed: true },
  invite: { atLeast: 1 },
};
const LOOP_DELAY_MS: Goal = { atMost: 50 };
const MEMORY_AT_REST_MIB: Goal = { atMost: 120 };

const postgres = await startPostgres();
if (!postgres) throw new Error('PostgreSQL not found: it is what all sides are measured on.');
process.env['TEST_ENGINE'] = 'postgres';
process.env['TEST_POSTGRES_URL'] = postgres.url;

const portico = await startPortico();
const sides = { portico, betterAuth: await startBetterAuth() };

let nextRequest = 0;
async function some(count: number, { port }: Side, name: CallName, ask: Ask) {
  const from = nextRequest;
  nextRequest += count;
  await send(port, count, calls[name].atOnce, (nth) => ask(from + nth));
}

async function cpuPerRequest(server: Side, name: CallName, ask: Ask): Promise<number> {
  const { count } = calls[name];
  // An idle server is slow at first, so wake it before measuring.
  await some(Math.ceil(count / 4), server, name, ask);
  if ('mails' in calls[name]) await pause(MAILED_MS);
  const before = cpuMsOf(server.pid);
  await some(count, server, name, ask);
  // Mails are sent after the answer, but their cost belongs to the call.
  if ('mails' in calls[name]) await pause(MAILED_MS);
  return (cpuMsOf(server.pid) - before) / count;
}

const samples = new Map<string, number[]>();
const names = Object.keys(calls) as CallName[];
const each = names.flatMap((name) =>
  Object.entries(sides).flatMap(([side, server]) => {
    const ask = server.asks[name];
    return ask ? [{ name, side, server, ask }] : [];
  }),
);
for (const { name, server, ask } of each)
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end;)
    await some(calls[name].count, server, name, ask);
for (let round = 0; round < ROUNDS; round += 1)
  for (const { name, side, server, ask } of each) {
    const earlier = samples.get(`${side} ${name}`) ?? [];
    samples.set(`${side} ${name}`, [...earlier, await cpuPerRequest(server, name, ask)]);
  }

const costOf = (side: keyof typeof sides, name: CallName) => median(samples.get(`${side} ${name}`) ?? []);
const inMs = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(3));

console.log(`Server CPU per request; median of ${ROUNDS} interleaved rounds; – has no such call`);
const rows = names.map((name) => {
  const [own, other] = [costOf('portico', name), costOf('betterAuth', name)];
  const ratio = Number.isNaN(other) ? '' : (other / own).toFixed(1) + markOf(name, other / own, goals[name]);
  return [name, inMs(own), inMs(other), ratio];
});
console.log(table(['Call, ms', 'Portico', 'Better Auth', 'Ratio'], rows));

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
if (signIn) await send(portico.port, STORM.count, STORM.atOnce, signIn);
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
