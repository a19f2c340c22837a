import { cpuMsOf, send } from './load.ts';
import { ask, databaseCpu, startRoomyPostgres, table } from './measure.ts';
import { startOn } from './portico.ts';
import { PASSWORD } from './sides.ts';
import { type Call, type Costs, simulate } from './simulation.ts';
import { grow, hotCalls } from '#server/testing/grown.ts';
import type { Portal } from '#server/testing/portal.ts';
import { startApp } from '#server/testing/start-app.ts';

// What the portal needs as it grows past one machine: `npm run bench -- scaling`. Costs of the calls are measured here, on
// one, two and three real processes with one PostgreSQL; bench/simulation.ts makes of them what more people need.

const PEOPLE = 10_000;
const AT_ONCE = 12;
/** How many of each are measured, by so many processes together. */
const counts: Readonly<Record<Call, number>> = { check: 12_000, init: 600, list: 1200, signIn: 240 };
const settings = {
  NODE_ENV: 'development',
  SECRET_KEY: 'a key that only this measurement uses',
  // One person signs in again and again.
  RATE_LIMIT_FACTOR: '1000000',
};

type Stage = {
  readonly url: string;
  readonly session: string;
  readonly email: string;
  readonly paths: Paths;
};
type Paths = Readonly<Record<Exclude<Call, 'signIn'>, string>>;

const postgres = await startRoomyPostgres(2 ** 30);
try {
  const stage = await seeded();
  const spread: string[][] = [];
  for (const count of [1, 2, 3])
    await withPortals(count, stage, async (portals) => {
      const { perSecond, appMs, databaseMs } = await load(portals, stage, 'check');
      spread.push([`${count}`, perSecond.toFixed(0), appMs.toFixed(3), databaseMs.toFixed(3)]);
    });
  console.log(`\nSession checks by so many processes, ${AT_ONCE} at once, all on this machine\n`);
  console.log(
    table(['Processes', 'A second', 'CPU ms a check, portal', 'CPU ms a check, PostgreSQL'], spread),
  );
  await withPortals(1, stage, async (portals) => {
    const [check, init, list] = [
      await load(portals, stage, 'check'),
      await load(portals, stage, 'init'),
      await load(portals, stage, 'list'),
    ];
    // The last, for it ends the person's older sessions, the one that the others are asked with among them.
    const costs: Costs = { check, init, list, signIn: await load(portals, stage, 'signIn') };
    console.log(`\n${simulate(costs)}`);
  });
} finally {
  await postgres.stop();
}

/** A portal with people in it, closed again: its database, and a browser that is signed in. */
async function seeded(): Promise<Stage> {
  const app = await startApp({ LOG_LEVEL: 'error', SECRET_KEY: settings.SECRET_KEY });
  const grown = await grow(app, { people: PEOPLE, members: PEOPLE / 10, rows: PEOPLE * 10 });
  const url = app.database.url ?? '';
  const [person] = await ask<{ email: string }>(url, 'select email from users where id = 1');
  await app.close();
  // The app's clock stood still in another year.
  await ask(url, 'update sessions set created_at = now(), last_seen_at = now(), authenticated_at = now()');
  await ask(url, 'vacuum analyze');
  const calls = hotCalls(grown);
  const pathOf = (name: string) => calls[name]?.path ?? '';
  return {
    url,
    session: grown.visitor.session ?? '',
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

/** Asks the portals together, so many at once: how many are answered a second, and what each costs. */
async function load(portals: readonly Portal[], { url, session, email, paths }: Stage, call: Call) {
  const asked =
    call === 'signIn'
      ? { path: '/api/signin', body: { email_id: email, password: PASSWORD, timezone: '' } }
      : { path: paths[call], cookie: `portico=${session}` };
  const sendAll = (count: number) =>
    Promise.all(
      portals.map(({ port }) => send(port, count / portals.length, AT_ONCE / portals.length, () => asked)),
    );
  await sendAll(counts[call] / 4);
  const appMs = () => portals.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
  const before = { app: appMs(), database: await databaseCpu(url) };
  const started = performance.now();
  await sendAll(counts[call]);
  const seconds = (performance.now() - started) / 1000;
  const usedByPortals = appMs() - before.app;
  // A connection that was closed meanwhile had nothing to do.
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
