import { startPostgres } from '#tools/postgres.ts';
import { cpuMsOf, send } from './load.ts';
import { type Goal, goalsMissed, markOf, median, table } from './measure.ts';
import {
  type ProviderSide,
  startBetterAuthProvider,
  startPorticoProvider,
  type Step,
  steps,
} from './providers.ts';

// The server CPU of the steps of an application, compared with Better Auth: `npm run bench -- applications`. Each
// server is its own process on one PostgreSQL. They take turns, so that other load on the machine hits both alike.

const ROUNDS = 9;
const REQUESTS = 200;
/** Connections per step: reads take as many as have slots, and writes fewer. */
const atOnce: Record<Step, number> = {
  discovery: 32,
  authorization: 8,
  exchange: 8,
  refresh: 8,
  userinfo: 16,
  introspection: 16,
};
/** Rounds before the measured ones, because only compiled code counts. */
const WARM_UP_ROUNDS = 15;

/** Better Auth costs more than Portico. */
const goal: Goal = { atLeast: 1 };

const postgres = await startPostgres();
if (!postgres) throw new Error('PostgreSQL not found: both sides are measured on it.');
process.env['TEST_ENGINE'] = 'postgres';
process.env['TEST_POSTGRES_URL'] = postgres.url;

const sides = { portico: await startPorticoProvider(), betterAuth: await startBetterAuthProvider() };
const each = Object.entries(sides);

async function cpuPerRequest({ pid, port, ask }: ProviderSide, step: Step): Promise<number> {
  const before = cpuMsOf(pid);
  await send(port, REQUESTS, atOnce[step], (nth) => ask(step, nth));
  return (cpuMsOf(pid) - before) / REQUESTS;
}

for (const [, side] of each)
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const step of steps) await cpuPerRequest(side, step);

const timesByStep = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round += 1)
  for (const step of steps)
    for (const [name, side] of each) {
      const earlier = timesByStep.get(`${name} ${step}`) ?? [];
      timesByStep.set(`${name} ${step}`, [...earlier, await cpuPerRequest(side, step)]);
    }
const costOf = (side: keyof typeof sides, step: Step) => median(timesByStep.get(`${side} ${step}`) ?? []);

console.log(`Server CPU per request; median of ${ROUNDS} interleaved rounds`);
const rows = steps.map((step) => {
  const [own, other] = [costOf('portico', step), costOf('betterAuth', step)];
  const ratio = other / own;
  return [step, own.toFixed(3), other.toFixed(3), ratio.toFixed(1) + markOf(step, ratio, goal)];
});
console.log(table(['Step, ms', 'Portico', 'Better Auth', 'Ratio'], rows));

await Promise.all(each.map(([, side]) => side.stop()));
await postgres.stop();
process.exitCode = goalsMissed() > 0 ? 1 : 0;
