import { table } from './measure.ts';

// A small model of capacity. Requests of the busiest hour arrive as they like (Poisson) at two stations, the portal's
// processes and the primary database, each with so many cores (M/M/c); how long they wait is Erlang's formula. What so many
// cores do when more come than usual or a process dies, bench/simulation.ts plays. What is assumed stands here; what a call
// costs is measured by bench/scaling.ts, and bytes a row by bench/growth.ts.

export type Call = 'check' | 'init' | 'list' | 'signIn';
/** CPU milliseconds: the portal's process, and PostgreSQL. */
export type Cost = { readonly appMs: number; readonly databaseMs: number };
export type Costs = Readonly<Record<Call, Cost>>;

export const POPULATIONS = [1e5, 1e6, 1e7, 1e8];

/** Of all people, how many use the portal in the busiest hour, and what each asks for in it. */
const ACTIVE_SHARE = 0.1;
const asksAnHour: Readonly<Record<Call, number>> = { check: 30, init: 4, list: 2, signIn: 0.5 };
/** Rows that stay: what one person adds. */
const LOG_ROWS_A_DAY = 1;
const SESSIONS_A_PERSON = 2;
/** Bytes a row with its indexes. */
const LOG_ROW_BYTES = 650;
const PERSON_BYTES = 2200;
const SESSION_BYTES = 330;
/** No station is filled beyond this: waiting grows without end near 1. */
const FILLED_AT_MOST = 0.6;
/** A session notes when it was used once a minute while somebody uses it, ten minutes of the hour. */
const TOUCHES_AN_HOUR = 10;
/** What one machine has. */
const DATABASE_CORES = 32;
const DATABASE_WRITES_A_SECOND = 10_000;
const DATABASE_BYTES = 4e12;
const CONNECTIONS = 500;
export const POOL_A_PROCESS = 15;

export const calls = Object.keys(asksAnHour) as Call[];

/** The chance that who arrives has to wait (Erlang C), with `load` requests under way on average and so many cores. */
function waits(load: number, cores: number): number {
  let blocked = 1;
  for (let core = 1; core <= cores; core += 1) blocked = (load * blocked) / (core + load * blocked);
  return blocked / (1 - (load / cores) * (1 - blocked));
}

/** Milliseconds that 95 of 100 wait at most for a core, before `serviceMs` of work. */
function waitMs95(load: number, cores: number, serviceMs: number): number {
  const chance = waits(load, cores);
  return chance <= 0.05 ? 0 : (Math.log(chance / 0.05) * serviceMs) / (cores - load);
}

const coresFor = (load: number) => Math.max(1, Math.ceil(load / FILLED_AT_MOST));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** How often so many people ask for it in a second of the busiest hour. */
export const asked = (people: number, call: Call) => (people * ACTIVE_SHARE * asksAnHour[call]) / 3600;

/** What so many people need. */
export function needs(people: number, costs: Costs) {
  const requests = sum(calls.map((call) => asked(people, call)));
  const loadOf = (part: 'appMs' | 'databaseMs') =>
    sum(calls.map((call) => (asked(people, call) * costs[call][part]) / 1000));
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

/** How much of one PostgreSQL is asked for, by what it has; what comes to 1 first is what breaks first. */
const strains = {
  connections: (need: Needs) => need.connections / CONNECTIONS,
  cores: (need: Needs) => need.databaseCores / DATABASE_CORES,
  writes: (need: Needs) => need.writes / DATABASE_WRITES_A_SECOND,
  disk: (need: Needs) => need.bytes / DATABASE_BYTES,
};

/** The tables that docs/scaling.md shows. */
export function tablesOf(costs: Costs): string {
  const shown = table(
    ['Call', 'CPU ms, portal', 'CPU ms, PostgreSQL', 'In the busiest hour, each'],
    calls.map((call) => [
      call,
      costs[call].appMs.toFixed(2),
      costs[call].databaseMs.toFixed(2),
      String(asksAnHour[call]),
    ]),
  );
  const count = (value: number) => Math.round(value).toLocaleString('en');
  const all = POPULATIONS.map((people) => needs(people, costs));
  const row = (what: string, cell: (need: Needs) => string) => [what, ...all.map(cell)];
  const grown = table(
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
  return `What a call costs, measured\n\n${shown}\n\nWhat so many people need\n\n${grown}`;
}
