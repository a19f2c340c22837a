import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Call, type Costs, simulate } from './simulation.ts';
import { ask, cpuMsOf, databaseCpuMs, startRoomyPostgres, table } from './measure.ts';
import { grow, hotCalls } from '#server/testing/grown.ts';
import { PASSWORD } from '#server/testing/people.ts';
import { freePort } from '#server/testing/ports.ts';
import { startApp } from '#server/testing/start-app.ts';
import { Visitor } from '#server/testing/visitor.ts';

// What the portal needs as it grows past one machine: `npm run bench -- scaling`. Costs of the calls are measured here, on
// one, two and three real processes with one PostgreSQL; bench/simulation.ts makes of them what more people need.

const PEOPLE = 10_000;
const SECONDS = 4;
const AT_ONCE = 12;
const secretKey = 'a key that only this measurement uses';

type Stage = {
  readonly url: string;
  readonly session: string;
  readonly email: string;
  readonly paths: Paths;
};
type Paths = Readonly<Record<Exclude<Call, 'signIn'>, string>>;
type Portal = { readonly url: string; readonly child: ChildProcess };

const postgres = await startRoomyPostgres(2 ** 30);
try {
  const stage = await seeded();
  const spread: string[][] = [];
  let costs: Costs | undefined;
  for (const count of [1, 2, 3]) {
    const portals = await Promise.all(Array.from({ length: count }, () => startPortal(stage.url)));
    const session = await load(portals, stage, 'check');
    spread.push([
      `${count}`,
      session.perSecond.toFixed(0),
      session.appMs.toFixed(2),
      session.databaseMs.toFixed(2),
    ]);
    if (count === 1)
      costs = {
        check: session,
        init: await load(portals, stage, 'init'),
        list: await load(portals, stage, 'list'),
        signIn: await load(portals, stage, 'signIn'),
      };
    await Promise.all(portals.map(stopPortal));
  }
  console.log(`\nSession checks by so many processes, ${AT_ONCE} at once, all on this machine\n`);
  console.log(
    table(['Processes', 'A second', 'CPU ms a check, portal', 'CPU ms a check, PostgreSQL'], spread),
  );
  if (costs) console.log(`\n${simulate(costs)}`);
} finally {
  await postgres.stop();
}

/** A portal with people in it, closed again: its database, and a browser that is signed in. */
async function seeded(): Promise<Stage> {
  const app = await startApp({ LOG_LEVEL: 'error', SECRET_KEY: secretKey });
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

async function startPortal(databaseUrl: string): Promise<Portal> {
  const port = await freePort();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'portico-scaling-'));
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey,
      LOG_LEVEL: 'error',
      RATE_LIMIT_FACTOR: '1000000',
    },
  });
  child.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const url = `http://localhost:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error('a portal did not start');
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return { url, child };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function stopPortal({ child }: Portal) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Asks the portals in turn, so many at once, for some seconds: how many answers, and what each cost. */
async function load(portals: readonly Portal[], stage: Stage, call: Call) {
  const run = async (seconds: number) => {
    let [asked, until] = [0, performance.now() + seconds * 1000];
    const browser = async (at: number) => {
      const visitor = new Visitor(portals[at % portals.length]?.url ?? '');
      if (call !== 'signIn') visitor.cookies.set('portico', stage.session);
      while (performance.now() < until) {
        const answer = await (call === 'signIn'
          ? visitor.post('/api/signin', { email_id: stage.email, password: PASSWORD, timezone: '' })
          : visitor.get(stage.paths[call]));
        if (answer.status !== 200) throw new Error(`${call}: ${answer.status} ${answer.code}`);
        asked += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => browser(at)));
    return asked;
  };
  await run(1);
  const appMs = () => portals.reduce((sum, { child }) => sum + cpuMsOf(child.pid ?? 0), 0);
  const before = { app: appMs(), database: await databaseCpuMs(stage.url) };
  const asked = await run(SECONDS);
  return {
    perSecond: asked / SECONDS,
    appMs: (appMs() - before.app) / asked,
    databaseMs: ((await databaseCpuMs(stage.url)) - before.database) / asked,
  };
}
