import { founder } from '#server/testing/people.ts';
import { startApp } from '#server/testing/start-app.ts';
import type { Visitor } from '#server/testing/visitor.ts';

// How much dearer the hot calls are than an answer that does nothing, interleaved in one run on one machine:
// ratios hold on a busy machine, absolute figures don't. Run with `npm run bench`.

const ROUNDS = 5;
const REQUESTS_A_ROUND = 400;
const AT_ONCE = 8;
const calls = {
  healthz: '/healthz',
  ustat: '/api/ustat',
  user: '/api/user',
  init: '/api/init',
  orgs: '/api/orgs',
};

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** CPU milliseconds that the process spends on one request, client and server together. */
async function cpuPerRequest(visitor: Visitor, path: string): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < REQUESTS_A_ROUND; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => visitor.get(path)));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / REQUESTS_A_ROUND;
}

const app = await startApp({ LOG_LEVEL: 'error' });
const { visitor } = await founder(app);
const measured = new Map(Object.keys(calls).map((name) => [name, [] as number[]]));
for (const path of Object.values(calls)) await cpuPerRequest(visitor, path);
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, path] of Object.entries(calls))
    measured.get(name)?.push(await cpuPerRequest(visitor, path));
await app.close();

const floor = median(measured.get('healthz') ?? []);
console.log(
  `CPU per request, client included, embedded database; median of ${ROUNDS} rounds of ${REQUESTS_A_ROUND}`,
);
for (const [name, values] of measured)
  console.log(
    `${name.padEnd(8)} ${median(values).toFixed(2)} ms  ${(median(values) / floor).toFixed(1)} × healthz`,
  );
