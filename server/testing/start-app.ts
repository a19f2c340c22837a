import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createApp } from '#server/app.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { showBrand } from '#server/brand/brand.ts';
import { openBrands } from '#server/brand/watch.ts';
import type { Clock } from '#server/clock.ts';
import { notingTerms } from '#server/db/terms.ts';
import { readConfig } from '#server/config.ts';
import { isLoopback } from '#server/config-readers.ts';
import type { Deps } from '#server/deps.ts';
import { admissionFor } from '#server/http/admission.ts';
import { createImages } from '#server/images.ts';
import { type JobHandlers, runDueJobs } from '#server/jobs/jobs.ts';
import { withoutLanguage } from '#server/language.ts';
import { openKeys } from '#server/keys.ts';
import { countsInDatabase } from '#server/db/counts.ts';
import { createLimiter } from '#server/db/limiter.ts';
import { createLocations } from '#server/locations.ts';
import { createMetrics } from '#server/metrics.ts';
import type { Letter } from '#server/mail/transports.ts';
import { createPasswords } from '#server/passwords.ts';
import { openStorage } from '#server/storage/open.ts';
import { openTestDatabase, PATIENCE, type TestDatabase } from './databases.ts';
import { freePort } from './ports.ts';
import { Visitor } from './visitor.ts';

export class MovedClock implements Clock {
  #now = new Date('2026-03-02T09:00:00.000Z').getTime();
  now() {
    return new Date(this.#now);
  }
  forward(ms: number) {
    this.#now += ms;
  }
}

/** The cheapest argon2id parameters, because tests do not prove the strength of hashes. */
const cheapHashes = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export type TestApp = {
  readonly url: string;
  readonly deps: Deps;
  readonly database: TestDatabase;
  readonly clock: MovedClock;
  readonly jobs: JobHandlers;
  /** Every line the app logged. */
  readonly logLines: string[];
  /** Runs due jobs but deliveries; returns the mails sent so far, with `to` only those to one address. */
  mails(to?: string): Promise<Letter[]>;
  /** Starts the shutdown as a signal does. */
  drain(): void;
  /** A new browser: it keeps cookies and sends requests over real HTTP. */
  visitor(): Visitor;
  close(): Promise<void>;
};

export const lastingSessions = { SESSION_IDLE_HOURS: '8760', SESSION_ABSOLUTE_HOURS: '8760' };

/**
 * The portal on a free port, with the database of the engine under test. `times` multiplies waiting times; 1
 * is for tests of timeouts.
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

/**
 * A second process of the same portal, as behind a balancer, with its own listener and connections
 * (PostgreSQL only). While keys rotate, it has other `secretKeys`.
 */
export async function startBeside(
  { deps, database, clock }: TestApp,
  secretKeys?: readonly string[],
): Promise<TestApp> {
  const port = await freePort();
  const { publicUrl } = deps.config;
  const own = isLoopback(publicUrl.hostname) ? new URL(`http://localhost:${port}`) : publicUrl;
  const config = { ...deps.config, port, publicUrl: own, ...(secretKeys && { secretKeys: [...secretKeys] }) };
  const keys = secretKeys ? openKeys(config) : deps.keys;
  const passwords = secretKeys ? createPasswords(keys, config, cheapHashes) : deps.passwords;
  const parts = { ...deps, config, keys, passwords };
  return listen(await openTestDatabase(database), clock, '/nowhere', PATIENCE, parts);
}

const throwAt = (text: string) => {
  throw new Error(`the text "${text}" is read in no language`);
};

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
    // A busy machine may need long to read 70 MB.
    locations: createLocations(log, { patienceMs: 30_000 }),
    limiter: createLimiter(countsInDatabase(database.changing), clock, config, metrics),
    brands: await openBrands({ ...parts, clock, log, noteTerms: notingTerms(database.changing) }),
  };
  const letters: Letter[] = [];
  let runs: Promise<unknown> = Promise.resolve();
  const jobs = jobHandlers(deps, async (letter) => {
    letters.push(letter);
  });
  // Later changes of `deps` by a test also apply to the app. The app reads on the read-only connections.
  const appDeps = new Proxy(deps, {
    get: (target, name) => (name === 'sql' ? database.reading : (Reflect.get(target, name) as unknown)),
  });
  const app = await withoutLanguage(throwAt, async () => {
    const created = await createApp(appDeps, log, webApp, admissionFor(config.hashConcurrency, times));
    await created.listen({ port: config.port, host: '127.0.0.1' });
    return created;
  });
  const url = config.publicUrl.origin;
  return {
    url,
    deps,
    database,
    clock,
    jobs,
    logLines,
    mails: async (to) => {
      // One run at a time, because a second run would miss the jobs that the first one has claimed.
      runs = runs
        .catch(() => undefined)
        .then(() => withoutLanguage(throwAt, () => runDueJobs(deps, jobs, (kind) => kind !== 'webhook')));
      await runs;
      return letters.filter((letter) => to === undefined || letter.to.address === to);
    },
    drain: () => app.drain(),
    visitor: () => new Visitor(url),
    close: async () => {
      await app.close();
      showBrand(null);
      await database.close();
    },
  };
}
