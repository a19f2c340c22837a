import { pino } from 'pino';
import { createApp, jobHandlers, sweeps } from '#server/app.ts';
import { SECOND_MS, systemClock } from '#server/clock.ts';
import { type Config, readConfig, WrongEnvironment } from '#server/config.ts';
import { type Database, openDatabase } from '#server/db/connect.ts';
import type { Log } from '#server/deps.ts';
import { isUnreachable } from '#server/db/constraints.ts';
import { belongsToKeys } from '#server/db/installation.ts';
import { FolderInUse } from '#server/db/lock.ts';
import { migrate } from '#server/db/migrate.ts';
import { createImages } from '#server/images.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { openKeys } from '#server/keys.ts';
import { type Counts, countsInDatabase } from '#server/db/counts.ts';
import { createLimiter } from '#server/db/limiter.ts';
import { createMetrics } from '#server/metrics.ts';
import { hasInbox } from '#server/mail/inbox.ts';
import { outboxFolder } from '#server/mail/transports.ts';
import { createPasswords } from '#server/passwords.ts';
import { openStorage } from '#server/storage/open.ts';

/** How long requests may still take once a signal came; one that stalls must not hold up the stop. */
const STOP_LIMIT_MS = 5000;

/** Ends the process with a plain sentence for what the operator can mend; anything else keeps its stack. */
function fail(error: unknown): never {
  const plain = error instanceof WrongEnvironment || error instanceof FolderInUse;
  console.error(plain ? error.message : (wordsFor(error as NodeJS.ErrnoException) ?? error));
  process.exit(1);
}

/** What the machine said no to, as a line about the variable that asked for it. */
function wordsFor({ code = '', message, syscall = '' }: NodeJS.ErrnoException): string | undefined {
  if (
    /^(EEXIST|ENOTDIR|EACCES|EROFS|ENOENT|ENOSPC)$/.test(code) &&
    /mkdir|open|scandir|rename|link/.test(syscall)
  )
    return `DATA_DIR: can't be used (${message}), takes a folder this user may write to`;
  if (/^(ENOTFOUND|EADDRNOTAVAIL|EACCES)$/.test(code) && (syscall === 'listen' || syscall === 'getaddrinfo'))
    return `HOST or PORT: can't be listened on (${message}), take an address of this machine and a free port`;
  if (isUnreachable(Object.assign(new Error(message), { code })) || /^(28|3D)/.test(code))
    return `DATABASE_URL: can't be used (${message || code}), takes a PostgreSQL that answers`;
  return undefined;
}

/** Limits are counted in the database, or in Redis where there is one, with the database behind it. */
async function openCounts({ sql }: Database, { redisUrl }: Config, log: Log): Promise<Counts> {
  const inDatabase = countsInDatabase(sql);
  if (!redisUrl) return inDatabase;
  const { countsInRedis } = await import('#server/db/counts-redis.ts');
  return countsInRedis(redisUrl, inDatabase, log);
}

async function start(config: Config) {
  const keys = openKeys(config);
  const database = await openDatabase(config);
  await migrate(database);
  if (!(await belongsToKeys(database.sql, keys)))
    throw new WrongEnvironment([
      'SECRET_KEY: got another key than this database was made with, takes that key (older ones behind the newest), or the file `secret` of the DATA_DIR it was made in',
    ]);
  const log = pino(
    { level: config.logLevel, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(2),
  );
  const metrics = createMetrics();
  metrics.watchProcess();
  metrics.watchPool(database);
  const deps = {
    sql: database.sql,
    clock: systemClock,
    config,
    keys,
    passwords: createPasswords(keys, config),
    images: createImages(),
    storage: openStorage(config),
    limiter: createLimiter(await openCounts(database, config, log), systemClock, config, metrics),
    log,
    metrics,
  };
  const app = await createApp(deps, log);
  await app.listen({ port: config.port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new WrongEnvironment([`PORT: got ${config.port}, takes one that no other process listens on`]);
  });
  const stopJobs = startJobs(deps, jobHandlers(deps), sweeps);

  console.log(`Portico is ready at ${config.publicUrl.origin}`);
  if (!config.production)
    console.log(
      hasInbox(config)
        ? `Mails can be read at ${config.publicUrl.origin}/outbox`
        : config.smtpUrl
          ? 'Mails leave by SMTP.'
          : `Mails are written to ${outboxFolder(config)}`,
    );

  let stopping = false;
  const hurry = new AbortController();
  const stop = async (drainSeconds = 0) => {
    // The terminal and the starter may both pass a signal on; once is enough.
    if (stopping) return;
    stopping = true;
    // Balancers are to look elsewhere before the listener closes.
    app.drain();
    await pause(drainSeconds * SECOND_MS, undefined, { signal: hurry.signal }).catch(() => undefined);
    setTimeout(() => app.server.closeAllConnections(), STOP_LIMIT_MS).unref();
    await app.close();
    await stopJobs();
    await database.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop(config.drainSeconds).catch(fail));
  for (const signal of ['SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      hurry.abort();
      void stop().catch(fail);
    });
}

try {
  await start(readConfig(process.env));
} catch (error) {
  fail(error);
}
