import { cpuMsOf, send } from './load.ts';
import { ask, databaseCpu, startRoomyPostgres, table } from './measure.ts';
import { startOn } from './portico.ts';
import { PASSWORD } from './sides.ts';
import {
  callsPerSecond,
  type Call,
  calls,
  type Cost,
  type Costs,
  needs,
  POOL_A_PROCESS,
  POPULATIONS,
  tablesOf,
} from './model.ts';
import { type Outcome, play, type Simulation } from './simulation.ts';
import { grow, hotCalls } from '#server/testing/grown.ts';
import type { Portal } from '#server/testing/portal.ts';
import { startApp } from '#server/testing/start-app.ts';

// The needs of a portal that outgrows one machine: `npm run bench -- scaling`. It measures the cost of
// calls on one, two and three real processes with one PostgreSQL. From these costs bench/model.ts computes
// the need of more people, and bench/simulation.ts plays bursts and dying processes.

const PEOPLE = 10_000;
const AT_ONCE = 12;
/** Requests per call, over all processes together. */
const counts: Readonly<Record<Call, number>> = { check: 12_000, init: 1500, list: 3000, signIn: 240 };
const settings = {
  NODE_ENV: 'development',
  SECRET_KEY: 'a key that only this measurement uses',
  // The same person signs in again and again.
  RATE_LIMIT_FACTOR: '1000000',
};

/** The simulated time of the busiest hour, shortened to at most this many requests. */
const PLAYED_MS = 60_000;
const PLAYED_REQUESTS = 300_000;
const MANY = { times: 2, lastsMs: 1000 };

type Stage = {
  readonly url: string;
  /**
   * Cookies of the callers, used in rotation, because look-ups of one person in one turn of the loop would be
   * shared.
   */
  readonly cookies: readonly string[];
  readonly email: string;
  readonly paths: Paths;
};
type Paths = Readonly<Record<Exclude<Call, 'signIn'>, string>>;

const postgres = await startRoomyPostgres(2 ** 30);
try {
  const stage = await seed();
  const spread: string[][] = [];
  let tables = '';
  for (const count of [1, 2, 3])
    await withPortals(count, stage, async (portals) => {
      const check = await load(portals, stage, 'check');
      const { perSecond, appMs, databaseMs } = check;
      spread.push([`${count}`, perSecond.toFixed(0), appMs.toFixed(3), databaseMs.toFixed(3)]);
      if (count > 1) return;
      const [init, list] = [await load(portals, stage, 'init'), await load(portals, stage, 'list')];
      const alone = await load(portals, stage, 'check', 1);
      const costs = { check: alone, init, list, signIn: await load(portals, stage, 'signIn') };
      tables = `${tablesOf(costs)}\n\n${simulationTable(costs, check)}`;
    });
  console.log(`\nSession checks by so many processes, ${AT_ONCE} at once, all on this machine\n`);
  console.log(
    table(['Processes', 'A second', 'CPU ms a check, portal', 'CPU ms a check, PostgreSQL'], spread),
  );
  console.log(`\n${tables}`);
} finally {
  await postgres.stop();
}

/** Fills a database with people, and closes its app again. Some of the people are signed-in admins. */
async function seed(): Promise<Stage> {
  const app = await startApp({ LOG_LEVEL: 'error', SECRET_KEY: settings.SECRET_KEY });
  const site = await grow(app, { people: PEOPLE, members: PEOPLE / 10, rows: PEOPLE * 10 });
  const url = app.database.url ?? '';
  const [person] = await ask<{ email: string }>(url, 'select email from users where id = 1');
  await app.close();
  // The app's clock stood still in another year.
  await ask(url, 'update sessions set created_at = now(), last_seen_at = now(), authenticated_at = now()');
  await ask(url, 'update users set confirmed_at = now()');
  const admins = await ask<{ id: string }>(
    url,
    `update memberships set role_id = roles.id from roles
      where memberships.org_id = ${site.orgId} and roles.org_id = ${site.orgId} and roles.kind = 'admin'
        and status = 2 and user_id between 2 and 100
        and not exists (select from account_deletions where account_deletions.user_id = memberships.user_id)
      returning user_id as id`,
  );
  await ask(url, 'vacuum analyze');
  const calls = hotCalls(site);
  const pathOf = (name: string) => calls[name]?.path ?? '';
  return {
    url,
    cookies: admins.map(({ id }) => `portico=${id}`),
    email: person?.email ?? '',
    paths: { check: pathOf('ustat'), init: pathOf('init'), list: pathOf('orgusers, first page') },
  };
}

async function withPortals(
  count: number,
  { url }: Stage,
  work: (portals: readonly Portal[]) => Promise<void>,
) {
  const portals = await Promise.all(Array.from({ length: count }, () => startOn(url, settings)));
  await work(portals);
  for (const { kill } of portals) kill('SIGTERM');
  await Promise.all(portals.map(({ ended }) => ended));
}

/**
 * Loads the portals together over `atOnce` connections. Returns answers per second and the CPU cost of each.
 */
async function load(
  portals: readonly Portal[],
  { url, cookies, email, paths }: Stage,
  call: Call,
  atOnce = AT_ONCE,
) {
  const askedOf = (nth: number) =>
    call === 'signIn'
      ? { path: '/api/signin', body: { email_id: email, password: PASSWORD, timezone: '' } }
      : { path: paths[call], cookie: cookies[nth % cookies.length] ?? '' };
  const sendAll = (count: number) =>
    Promise.all(
      portals.map(({ port }) => send(port, count / portals.length, atOnce / portals.length, askedOf)),
    );
  // Each process compiles its hot code first; until then a check costs up to twice as much.
  await sendAll(counts[call] * portals.length);
  const appMs = () => portals.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
  const before = { app: appMs(), database: await databaseCpu(url) };
  const start = performance.now();
  await sendAll(counts[call]);
  const seconds = (performance.now() - start) / 1000;
  const usedByPortals = appMs() - before.app;
  // A connection that was closed meanwhile was idle.
  const usedByDatabase = [...(await databaseCpu(url))].reduce(
    (sum, [pid, ms]) => sum + ms - (before.database.get(pid) ?? 0),
    0,
  );
  return {
    perSecond: counts[call] / seconds,
    appMs: usedByPortals / counts[call],
    databaseMs: usedByDatabase / counts[call],
  };
}

/**
 * How the cores of bench/model.ts cope: as usual, after one process has died, and during a one-second burst.
 */
function simulationTable(costs: Costs, sharedCheck: Cost): string {
  const rows = POPULATIONS.map((people) => {
    const need = needs(people, costs);
    const lastsMs = Math.min(PLAYED_MS, (PLAYED_REQUESTS / need.requests) * 1000);
    const middleMs = lastsMs / 2;
    const setting: Simulation = {
      processes: Math.max(2, need.appCores),
      databaseCores: need.databaseCores,
      connections: POOL_A_PROCESS,
      costs,
      sharedCheck,
      aSecond: Object.fromEntries(calls.map((call) => [call, callsPerSecond(people, call)])) as Record<
        Call,
        number
      >,
      lastsMs,
    };
    const usual = play(setting);
    const withLoss = play({ ...setting, lossAtMs: middleMs });
    const toMs = middleMs + MANY.lastsMs;
    const burst = play({ ...setting, burst: { fromMs: middleMs, toMs, times: MANY.times } });
    return [
      people.toLocaleString('en'),
      `${setting.processes} + ${setting.databaseCores}`,
      within(usual, 0.5),
      within(usual, 0.99),
      usual.lookupsPerStatement.toFixed(2),
      String(usual.connectionsUsed),
      `${within(withLoss, 0.99, middleMs)}, ${withLoss.cutRequests}`,
      `${within(burst, 0.99, middleMs, toMs)}, ${burst.connectionsUsed}`,
    ];
  });
  const summary = table(
    [
      'People',
      'Cores, portal + PostgreSQL',
      'Half within',
      '99 of 100',
      'Look-ups a statement',
      'Connections of a process in use',
      'A process less: 99 of 100, cut',
      `${MANY.times} × for ${MANY.lastsMs / 1000} s: 99 of 100, connections`,
    ],
    rows,
  );
  const { appMs, databaseMs } = sharedCheck;
  const cost = `${appMs.toFixed(2)} ms of the portal and ${databaseMs.toFixed(2)} of PostgreSQL`;
  return `The same, played; a check that shares its look-up takes ${cost}\n\n${summary}`;
}

/** The percentile `share` of the time to answer, for requests that arrived from `fromMs` to `toMs`. */
function within({ answers }: Outcome, share: number, fromMs = 0, toMs = Infinity): string {
  const took = answers.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).map(({ tookMs }) => tookMs);
  return `${took.toSorted((a, b) => a - b)[Math.floor(share * took.length)]?.toFixed(1)} ms`;
}
