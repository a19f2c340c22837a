import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createApp, jobHandlers } from '#server/app.ts';
import type { Clock } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import { createImages } from '#server/images.ts';
import { type JobHandlers, runDueJobs } from '#server/jobs/jobs.ts';
import { openKeys } from '#server/keys.ts';
import { openPostgres } from '#server/db/connect.ts';
import { countsInDatabase } from '#server/db/counts.ts';
import { createLimiter } from '#server/db/limiter.ts';
import { createMetrics } from '#server/metrics.ts';
import type { Letter } from '#server/mail/transports.ts';
import { createPasswords } from '#server/passwords.ts';
import { openStorage } from '#server/storage/open.ts';
import { openTestDatabase, type TestDatabase } from '#server/testing/databases.ts';
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
 * Starts the portal on a free port with a database, a data folder and a clock of its own; the calls only, unless given
 * a web app. A second process `beside` another one shares its database, keys and clock (PostgreSQL only).
 */
export async function startApp(
  environment: Record<string, string> = {},
  webApp = '/nowhere',
  beside?: TestApp,
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
  const clock = beside?.clock ?? new MovedClock();
  const keys = beside?.deps.keys ?? openKeys(config);
  const database = await openTestDatabase(beside?.database);
  const logLines: string[] = [];
  const log = pino({ level: config.logLevel }, { write: (line: string) => void logLines.push(line) });
  const metrics = createMetrics();
  const deps: Deps = {
    sql: database.sql,
    clock,
    config,
    keys,
    log,
    metrics,
    passwords: createPasswords(keys, config),
    images: createImages(),
    storage: openStorage(config),
    limiter: createLimiter(countsInDatabase(database.sql), clock, config, metrics),
  };
  const letters: Letter[] = [];
  const jobs = jobHandlers(deps, async (letter) => {
    letters.push(letter);
  });
  const app = await createApp(deps, log, webApp);
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
      await runDueJobs(deps, jobs);
      return letters.filter((letter) => to === undefined || letter.to.address === to);
    },
    drain: () => app.drain(),
    visitor: () => new Visitor(url),
    close: async () => {
      await app.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Another process of the same portal, as behind a balancer: a listener and a pool of its own over one database. */
export async function startBeside(app: TestApp) {
  const { url } = app.database;
  if (url === undefined) throw new Error('the embedded database serves one process');
  const port = await freePort();
  const beside = openPostgres(url);
  const config = { ...app.deps.config, port, publicUrl: new URL(`http://localhost:${port}`) };
  const metrics = createMetrics();
  const limiter = createLimiter(countsInDatabase(beside.sql), app.clock, config, metrics);
  const log = pino({ level: 'silent' });
  const second = await createApp(
    { ...app.deps, sql: beside.sql, config, limiter, metrics, log },
    log,
    '/nowhere',
  );
  await second.listen({ port, host: '127.0.0.1' });
  return {
    /** The same browser, sent to this process. */
    visitor: (same: Visitor) => new Visitor(config.publicUrl.origin, same.cookies),
    close: async () => {
      await second.close();
      await beside.close();
    },
  };
}
