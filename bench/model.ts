import { table } from './measure.ts';

// A small capacity model. Requests of the busiest hour arrive at random (Poisson) at two stations, the
// portal's processes and the primary database, each with several cores (M/M/c). Erlang's formula gives the
// waiting time. bench/simulation.ts simulates bursts and dying processes on the same cores. The assumptions are
// here; bench/scaling.ts measures the cost of calls, and bench/growth.ts the bytes per row.

export type Call = 'check' | 'init' | 'list' | 'signIn';
/** CPU milliseconds of the portal's process and of PostgreSQL. */
export type Cost = { readonly appMs: number; readonly databaseMs: number };
export type Costs = Readonly<Record<Call, Cost>>;

export const POPULATIONS = [1e5, 1e6, 1e7, 1e8];

/** The share of all people who use the portal in the busiest hour, and the calls each of them makes in it. */
const ACTIVE_SHARE = 0.1;
const asksAnHour: Readonly<Record<Call, number>> = { check: 30, init: 4, list: 2, signIn: 0.5 };
/** Lasting rows per person. */
const LOG_ROWS_A_DAY = 1;
const SESSIONS_A_PERSON = 2;
/** Bytes per row, indexes included. */
const LOG_ROW_BYTES = 650;
const PERSON_BYTES = 2200;
const SESSION_BYTES = 330;
/** The highest planned utilization of a station, because waiting grows without bound near 1. */
const FILLED_AT_MOST = 0.6;
/** A session in use updates its `last_seen` once a minute; a person is active for ten minutes of the hour. */
const TOUCHES_AN_HOUR = 10;
/** The capacity of one machine. */
const DATABASE_CORES = 32;
const DATABASE_WRITES_A_SECOND = 10_000;
const DATABASE_BYTES = 4e12;
const CONNECTIONS = 500;
export const POOL_A_PROCESS = 15;

export const calls = Object.keys(asksAnHour) as Call[];

/**
 * The chance that an arriving request has to wait (Erlang C), with `load` requests in progress on average.
 */
function waits(load: number, cores: number): number {
  let blocked = 1;
  for (let core = 1; core <= cores; core += 1) blocked = (load * blocked) / (core + load * blocked);
  return blocked / (1 - (load / cores) * (1 - blocked));
}

/** The 95th percentile of the wait for a core, in milliseconds, before `serviceMs` of work. */
function waitMs95(load: number, cores: number, serviceMs: number): number {
  const chance = waits(load, cores);
  return chance <= 0.05 ? 0 : (Math.log(chance / 0.05) * serviceMs) / (cores - load);
}

const coresFor = (load: number) => Math.max(1, Math.ceil(load / FILLED_AT_MOST));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Requests per second in the busiest hour. */
export const callsPerSecond = (people: number, call: Call) =>
  (people * ACTIVE_SHARE * asksAnHour[call]) / 3600;

export function needs(people: number, costs: Costs) {
  const requests = sum(calls.map((call) => callsPerSecond(people, call)));
  const loadOf = (part: 'appMs' | 'databaseMs') =>
    sum(calls.map((call) => (callsPerSecond(people, call) * costs[call][part]) / 1000));
  const [app, database] = [loadOf('appMs'), loadOf('databaseMs')];
  const [appCores, databaseCores] = [coresFor(app), coresFor(database)];
  const logRows = people * LOG_ROWS_A_DAY;
  return {
    people,
    requests,
    appCores,
    appWaitMs: waitMs95(app, appCores, (app / requests) * 1000),
    databaseCores,
    databaseWaitMs: waitMs95(database, databaseCores, (database / requests) * 1000),
    connections: appCores * POOL_A_PROCESS,
    writes:
      (people * ACTIVE_SHARE * (TOUCHES_AN_HOUR + 4 * asksAnHour.signIn)) / 3600 + (4 * logRows) / 86_400,
    logRowsAMonth: logRows * 30,
    bytes: people * (PERSON_BYTES + SESSIONS_A_PERSON * SESSION_BYTES) + logRows * 365 * LOG_ROW_BYTES,
  };
}
type Needs = ReturnType<typeof needs>;

/** The used share of each capacity of one PostgreSQL. The first one to reach 1 is the bottleneck. */
const strains = {
  connections: (need: Needs) => need.connections / CONNECTIONS,
  cores: (need: Needs) => need.databaseCores / DATABASE_CORES,
  writes: (need: Needs) => need.writes / DATABASE_WRITES_A_SECOND,
  disk: (need: Needs) => need.bytes / DATABASE_BYTES,
};

/** The tables in docs/scaling.md. */
export function tablesOf(costs: Costs): string {
  const callTable = table(
    ['Call', 'CPU ms, portal', 'CPU ms, PostgreSQL', 'In the busiest hour, each'],
    calls.map((call) => [
      call,
      costs[call].appMs.toFixed(2),
      costs[call].databaseMs.toFixed(2),
      String(asksAnHour[call]),
    ]),
  );
  const count = (value: number) => Math.round(value).toLocaleString('en');
  const allNeeds = POPULATIONS.map((people) => needs(people, costs));
  const row = (what: string, cell: (need: Needs) => string) => [what, ...allNeeds.map(cell)];
  const needsTable = table(
    ['', ...POPULATIONS.map((people) => `${count(people)} people`)],
    [
      row('Requests a second', (need) => count(need.requests)),
      row('Portal: cores, a process each', (need) => count(need.appCores)),
      row('… 95 of 100 wait for one, ms', (need) => need.appWaitMs.toFixed(1)),
      row('PostgreSQL: cores', (need) => count(need.databaseCores)),
      row('… 95 of 100 wait for one, ms', (need) => need.databaseWaitMs.toFixed(1)),
      row('Connections without PgBouncer', (need) => count(need.connections)),
      row('Rows written a second', (need) => count(need.writes)),
      row('Rows of the log a month', (need) => count(need.logRowsAMonth)),
      row('Disk after a year, GB', (need) => count(need.bytes / 1e9)),
      ...Object.entries(strains).map(([what, times]) =>
        row(`One PostgreSQL’s ${what}`, (need) => `${times(need).toFixed(2)} ×`),
      ),
    ],
  );
  return `What a call costs, measured\n\n${callTable}\n\nWhat so many people need\n\n${needsTable}`;
}
