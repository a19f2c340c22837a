import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createApp, jobHandlers } from '#server/app.ts';
import type { Clock } from '#server/clock.ts';
import { isLoopback, readConfig } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import { roomFor } from '#server/http/room.ts';
import { createImages } from '#server/images.ts';
import { type JobHandlers, runDueJobs } from '#server/jobs/jobs.ts';
import { openKeys } from '#server/keys.ts';
import { countsInDatabase } from '#server/db/counts.ts';
import { createLimiter } from '#server/db/limiter.ts';
import { createLocations } from '#server/locations.ts';
import { createMetrics } from '#server/metrics.ts';
import type { Letter } from '#server/mail/transports.ts';
import { createPasswords } from '#server/passwords.ts';
import { openStorage } from '#server/storage/open.ts';
import { openTestDatabase, PATIENCE, type TestDatabase } from '#server/testing/databases.ts';
import { freePort } from '#server/testing/ports.ts';
import { Visitor } from '#server/testing/visitor.ts';

/** A clock that stands still until a test moves it. */
export class MovedClock implements Clock {
  #now = new Date('2026-03-02T09:00:00.000Z').getTime();
  now() {
    return new Date(this.#now);
  }
  forward(ms: number) {
    this.#now += ms;
  }
}

/** The least argon2id takes: tests prove what a password opens, not what it costs to guess. */
const cheapHashes = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export type TestApp = {
  readonly url: string;
  readonly deps: Deps;
  readonly database: TestDatabase;
  readonly clock: MovedClock;
  readonly jobs: JobHandlers;
  /** Every line the app logged. */
  readonly logLines: string[];
  /** Runs what is due and returns the mails that left so far, to one address where one is given. */
  mails(to?: string): Promise<Letter[]>;
  /** What a signal does first. */
  drain(): void;
  /** A browser of its own: cookies kept, requests over real HTTP. */
  visitor(): Visitor;
  close(): Promise<void>;
};

/** For tests that wait for days: sessions outlast them. */
export const lastingSessions = { SESSION_IDLE_HOURS: '8760', SESSION_ABSOLUTE_HOURS: '8760' };

/**
 * The portal on a free port, with the database of the engine under test and what the environment says; `times` is 1 where
 * what it does to those who wait for too long is tested.
 */
export async function startApp(
  environment: Record<string, string> = {},
  webApp = '/nowhere',
  times = PATIENCE,
): Promise<TestApp> {
  const port = await freePort();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'portico-test-'));
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ...environment,
  });
  const keys = openKeys(config);
  const app = await listen(await openTestDatabase(undefined, times), new MovedClock(), webApp, times, {
    config,
    keys,
    passwords: createPasswords(keys, config, cheapHashes),
    images: createImages(),
    storage: openStorage(config),
  });
  const close = async () => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...app, close };
}

/** Another process of the same portal, as behind a balancer: a listener and connections of its own (PostgreSQL only). */
export async function startBeside({ deps, database, clock }: TestApp): Promise<TestApp> {
  const port = await freePort();
  const { publicUrl } = deps.config;
  const own = isLoopback(publicUrl.hostname) ? new URL(`http://localhost:${port}`) : publicUrl;
  const config = { ...deps.config, port, publicUrl: own };
  return listen(await openTestDatabase(database), clock, '/nowhere', PATIENCE, { ...deps, config });
}

type Parts = Pick<Deps, 'config' | 'keys' | 'passwords' | 'images' | 'storage'>;

async function listen(
  database: TestDatabase,
  clock: MovedClock,
  webApp: string,
  times: number,
  parts: Parts,
): Promise<TestApp> {
  const { config } = parts;
  const logLines: string[] = [];
  const log = pino({ level: config.logLevel }, { write: (line: string) => void logLines.push(line) });
  const metrics = createMetrics();
  const deps: Deps = {
    ...parts,
    sql: database.changing,
    clock,
    log,
    metrics,
    // A busy machine may take its time to read 70 MB.
    locations: createLocations(log, { patienceMs: 30_000 }),
    limiter: createLimiter(countsInDatabase(database.changing), clock, config, metrics),
  };
  const letters: Letter[] = [];
  let rounds: Promise<unknown> = Promise.resolve();
  const jobs = jobHandlers(deps, async (letter) => {
    letters.push(letter);
  });
  // What a test puts into `deps` counts for the app, too; it reads where it can't write.
  const answering = new Proxy(deps, {
    get: (held, name) => (name === 'sql' ? database.reading : (Reflect.get(held, name) as unknown)),
  });
  const app = await createApp(answering, log, webApp, roomFor(config.hashConcurrency, times));
  await app.listen({ port: config.port, host: '127.0.0.1' });
  const url = config.publicUrl.origin;
  return {
    url,
    deps,
    database,
    clock,
    jobs,
    logLines,
    mails: async (to) => {
      // One round after the other: what another one has taken on is not through yet.
      rounds = rounds.catch(() => undefined).then(() => runDueJobs(deps, jobs));
      await rounds;
      return letters.filter((letter) => to === undefined || letter.to.address === to);
    },
    drain: () => app.drain(),
    visitor: () => new Visitor(url),
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}
