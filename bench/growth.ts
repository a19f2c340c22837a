import { ask, median, startRoomyPostgres, table } from './measure.ts';
import { applicationSteps } from '#server/testing/application-steps.ts';
import { grow, type Grown, hotCalls } from '#server/testing/grown.ts';
import { keptPlanOf } from '#server/testing/plans.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// How calls and an application's steps grow: `npm run bench -- growth 1000 1000000`. Fails if one grows or scans a table.

const ROUNDS = 9;
const REQUESTS_A_ROUND = 10;
const ROWS_A_PERSON = 10;
const BYTES_A_PERSON = 20_000;
/** A call counts as flat up to this multiple of its time at the smallest size, because machines are busy. */
const FLAT_AT_MOST = 1.5;
/** With fewer people some tables are so small that a sequential scan is the fastest plan. */
const LARGE_FROM = 20_000;

const namedSizes = process.argv.slice(2).map(Number);
const sizes = (namedSizes.length > 0 ? namedSizes : [1000, 10_000, 100_000, 1_000_000]).toSorted(
  (a, b) => a - b,
);
const unknown = sizes.find((people) => !Number.isSafeInteger(people) || people < 100);
if (unknown !== undefined) throw new Error('Name numbers of people, each of 100 or more.');

type Calls = Readonly<Record<string, () => Promise<unknown>>>;
type Stage = Grown & { readonly people: number; readonly app: TestApp; readonly calls: Calls };
type Cost = { statements: number; ms: number[]; cpuMs: number[] };

const grew: string[] = [];

const postgres = await startRoomyPostgres(BYTES_A_PERSON * sizes.reduce((sum, people) => sum + people, 0));
try {
  const stages: Stage[] = [];
  for (const people of sizes) stages.push(await seed(people));
  const costs = await measure(stages);
  console.log(tableOf(costs));
  const [largest] = stages.slice(-1);
  if (largest) console.log(`\nBytes a person, indexes included\n\n${await bytesOf(largest)}`);
  for (const stage of stages.filter(({ people }) => people >= LARGE_FROM)) await findScans(stage);
  for (const { app } of stages) await app.close();
} finally {
  await postgres.stop();
}
for (const what of grew) console.error(`It grows: ${what}`);
process.exitCode = grew.length > 0 ? 1 : 0;

async function seed(people: number): Promise<Stage> {
  const start = performance.now();
  const app = await startApp({ LOG_LEVEL: 'error' });
  const members = Math.min(people / 10, 100_000);
  const site = await grow(app, { people, members, rows: people * ROWS_A_PERSON });
  await ask(urlOf(app), 'vacuum analyze');
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${inWords(people)} people, ${inWords(people * ROWS_A_PERSON)} rows of the log: ${seconds} s`);
  return { ...site, people, app, calls: await callsOf(app, site) };
}

async function callsOf(app: TestApp, site: Grown): Promise<Calls> {
  const steps = Object.entries(await applicationSteps(app, site.visitor));
  return Object.fromEntries([
    ...Object.entries(hotCalls(site)).map(
      ([name, { path }]) => [name, async () => responseOf(await site.visitor.get(path))] as const,
    ),
    ...steps.map(([name, { run }]) => [`application, ${name}`, run] as const),
  ]);
}

async function measure(stages: readonly Stage[]): Promise<Map<string, Map<number, Cost>>> {
  const costs = new Map<string, Map<number, Cost>>();
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const name of Object.keys(stages[0]?.calls ?? {}))
      for (const stage of stages) {
        const ofCall = costs.get(name) ?? new Map<number, Cost>();
        costs.set(name, ofCall);
        const call = stage.calls[name];
        if (!call) throw new Error(`no ${name}`);
        // The first round warms up and counts the statements.
        if (round === 0) {
          const statements = await queriesOf(call);
          ofCall.set(stage.people, { statements: statements.length, ms: [], cpuMs: [] });
        } else {
          const cost = ofCall.get(stage.people);
          const { ms, cpuMs } = await measureCall(call);
          cost?.ms.push(ms);
          cost?.cpuMs.push(cpuMs);
        }
      }
  return costs;
}

/** Milliseconds per request, and the CPU time of this process, which is both server and client. */
async function measureCall(call: () => Promise<unknown>) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  for (let count = 0; count < REQUESTS_A_ROUND; count += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return {
    ms: (performance.now() - start) / REQUESTS_A_ROUND,
    cpuMs: (user + system) / 1000 / REQUESTS_A_ROUND,
  };
}

function tableOf(costs: ReadonlyMap<string, ReadonlyMap<number, Cost>>): string {
  const rows = [...costs].map(([name, ofCall]) => {
    const [smallest] = ofCall.values();
    const counts = [...new Set([...ofCall.values()].map(({ statements }) => statements))];
    if (counts.length > 1) grew.push(`${name}, ${counts.join(' to ')} statements`);
    const cells = [...ofCall].map(([people, cost]) => {
      const ms = median(cost.ms);
      const times = ms / median(smallest?.ms ?? []);
      if (!(times <= FLAT_AT_MOST)) grew.push(`${name}, ${times.toFixed(2)} × at ${inWords(people)}`);
      return `${ms.toFixed(1)} ms, ${times.toFixed(2)} ×`;
    });
    const cpu = median([...ofCall.values()].at(-1)?.cpuMs ?? []);
    return [name, counts.join(' to '), ...cells, cpu.toFixed(1)];
  });
  return `\n${table(['Call', 'Statements', ...sizes.map(inWords), 'CPU ms, client too'], rows)}`;
}

/** Uses the cached plan of a statement if there is one. */
async function findScans({ app, calls }: Stage) {
  for (const [name, call] of Object.entries(calls))
    for (const query of await queriesOf(call)) {
      const { scannedTables } = await keptPlanOf(app.database.changing, query);
      if (scannedTables.length > 0) grew.push(`${name}, reads all of ${scannedTables.join(', ')}`);
    }
}

async function bytesOf({ app, people }: Stage): Promise<string> {
  const tables = await ask<{ name: string; bytes: string; rows: string }>(
    urlOf(app),
    `select relname as name, pg_total_relation_size(oid) as bytes, reltuples::bigint as rows from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 100 order by bytes desc`,
  );
  const rows = tables.map(({ name, bytes, rows: count }) => [
    name,
    Number(count).toLocaleString('en'),
    (Number(bytes) / Number(count)).toFixed(0),
    (Number(bytes) / people).toFixed(0),
  ]);
  return table(['Table', 'Rows', 'Bytes a row', 'Bytes a person'], rows);
}

function urlOf({ database }: TestApp): string {
  if (!database.url) throw new Error('growth is measured on PostgreSQL');
  return database.url;
}

function inWords(count: number): string {
  return count.toLocaleString('en');
}
