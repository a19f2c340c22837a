import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { counted } from '#contract/operator/act.ts';
import { openBrands } from '#server/brand/watch.ts';
import { type Config, WrongEnvironment } from './config.ts';
import { followDatabase, ownClock } from '#server/db/clock.ts';
import { type Database, openDatabase } from '#server/db/connect.ts';
import { isUnreachable } from '#server/db/constraints.ts';
import { type Counts, countsInDatabase } from '#server/db/counts.ts';
import { belongsToKeys, isMadeWith } from '#server/db/installation.ts';
import { keepFormerKeys } from '#server/db/former-keys.ts';
import { type KeyUse, olderKeysInUse } from '#server/db/sealed.ts';
import { createLimiter } from '#server/db/limiter.ts';
import { FolderInUse } from '#server/db/lock.ts';
import { notingTerms } from '#server/db/terms.ts';
import { compareRelease, migrate, TablesHeld, WrongMigrations } from '#server/db/migrate.ts';
import type { Deps } from './deps.ts';
import type { Log } from './log.ts';
import { createImages } from './images.ts';
import { openKeys } from './keys.ts';
import { createLocations } from './locations.ts';
import { createMetrics } from './metrics.ts';
import { createPasswords } from './passwords.ts';
import { openStorage } from '#server/storage/open.ts';

/** Opens what the environment describes and migrates. For callers that can wait for commits; they close the database. */
export async function openInstallation(
  config: Config,
  log: Log,
): Promise<{ readonly deps: Deps; readonly database: Database }> {
  const keys = openKeys(config);
  const database = await openDatabase(config);
  try {
    return await openOver(database, { config, keys, log });
  } catch (error) {
    // Timers of the embedded database would keep a command alive.
    await database.close();
    throw error;
  }
}

async function openOver(database: Database, { config, keys, log }: Pick<Deps, 'config' | 'keys' | 'log'>) {
  await migrate(database);
  if (!(await belongsToKeys(database.reading, keys))) throw otherKey();
  await keepFormerKeys(database.reading, keys);
  const lost = (await olderKeysInUse(database.reading, keys)).filter(({ isKnown }) => !isKnown);
  if (lost.length > 0) throw lostKeys(lost);
  const metrics = createMetrics();
  const clock = config.databaseUrl ? await followDatabase(database.reading, log) : ownClock;
  const images = createImages();
  const deps = {
    sql: database.changing,
    clock,
    config,
    keys,
    passwords: createPasswords(keys, config),
    images,
    brands: await openBrands({ config, clock, images, log, noteTerms: notingTerms(database.changing) }),
    storage: openStorage(config),
    locations: createLocations(log),
    limiter: createLimiter(await openCounts(database, config, log), clock, config, metrics),
    log,
    metrics,
  };
  const close = () => {
    clock.stop();
    return database.close();
  };
  return { deps, database: { ...database, close } };
}

/** Throws if DATA_DIR or the folder of STORAGE_URL cannot be written, which else the first upload or archive would find out. */
export function demandFolders({ dataDir, storage }: Pick<Config, 'dataDir' | 'storage'>): void {
  const isBeside = 'folder' in storage && storage.folder !== path.join(dataDir, 'images');
  const folders = [['DATA_DIR', dataDir], ...(isBeside ? [['STORAGE_URL', storage.folder]] : [])] as const;
  for (const [name = '', folder = ''] of folders) {
    const trial = path.join(folder, `.writable-${process.pid}`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(trial, '');
      rmSync(trial);
    } catch (error) {
      throw new WrongFolder(name, error as Error);
    }
  }
}

const lostKeys = (uses: readonly KeyUse[]) =>
  new WrongEnvironment(
    [...Map.groupBy(uses, ({ keyId }) => keyId)].map(([keyId, lost]) => {
      const opens = lost.map(({ count, words }) => counted(count, words)).join(', ');
      return `SECRET_KEY: lacks the key ${keyId}, which opens ${opens}; takes it behind the newest`;
    }),
  );

const otherKey = () =>
  new WrongEnvironment([
    'SECRET_KEY: got another key than this database was made with, takes that key (older ones behind the newest), or the file `secret` of the DATA_DIR it was made in',
  ]);

/** The dependencies of a command that looks things up: none of them can change the database. */
export type ReadingDeps = Pick<Deps, 'sql' | 'clock' | 'keys' | 'config'>;

/** Changes nothing. Throws WrongMigrations if this release cannot read the database; `note` names a newer one. */
export async function readInstallation<T>(
  config: Config,
  log: Log,
  read: (deps: ReadingDeps) => Promise<T>,
): Promise<{ readonly result: T; readonly note: string | undefined }> {
  const keys = openKeys(config);
  const database = await openDatabase(config);
  try {
    const note = await compareRelease(database);
    if (!(await isMadeWith(database.reading, keys))) throw otherKey();
    const clock = config.databaseUrl ? await followDatabase(database.reading, log) : ownClock;
    clock.stop();
    return { result: await read({ sql: database.reading, clock, keys, config }), note };
  } finally {
    await database.close();
  }
}

/** Counts limits in the database, or in Redis with the database as fallback. */
async function openCounts({ changing }: Database, { redisUrl }: Config, log: Log): Promise<Counts> {
  const inDatabase = countsInDatabase(changing);
  if (!redisUrl) return inDatabase;
  const { countsInRedis } = await import('#server/db/counts-redis.ts');
  return countsInRedis(redisUrl, inDatabase, log);
}

/** Whether another start would fail in the same way until an operator changes something. */
export const isLasting = (error: unknown) =>
  error instanceof WrongEnvironment || error instanceof WrongMigrations;

/** Node looks HOST up before it listens; the error would look like one of the database's host. */
export const failedToListen = (error: Error) => Object.assign(error, { syscall: 'listen' });

/** A message for problems that the operator can solve; undefined for every other error. */
export function operatorMessage(error: unknown): string | undefined {
  const isPlain = [WrongEnvironment, WrongFolder, FolderInUse, WrongMigrations, TablesHeld].some(
    (kind) => error instanceof kind,
  );
  if (isPlain) return (error as Error).message;
  return systemErrorMessage(error as SystemError);
}

class WrongFolder extends Error {
  constructor(name: string, { message }: Error) {
    super(`${name}: can't be used (${message}), takes a folder this user may write to`);
  }
}

/** ENOSPC as the file system of the embedded database numbers it; its errors have neither code nor message. */
const WASM_NO_SPACE = 51;

type SystemError = NodeJS.ErrnoException & { readonly port?: number };
function systemErrorMessage({
  name,
  errno,
  code = '',
  message,
  syscall = '',
  port,
  path: place,
}: SystemError): string | undefined {
  if (name === 'ErrnoError' && errno === WASM_NO_SPACE)
    return "DATA_DIR: can't be used (no space left on its disk), takes some hundred megabytes";
  if (code === 'ERR_SQLITE_ERROR')
    return `DATA_DIR: can't be locked (${message}), takes a folder on a file system with locks`;
  if (
    /^(EEXIST|ENOTDIR|EACCES|EROFS|ENOENT|ENOSPC)$/.test(code) &&
    /mkdir|open|scandir|rename|link|write|copy|cp/.test(syscall)
  )
    return `${place ?? 'DATA_DIR'}: can't be used (${message}), takes a place this user may write to`;
  if (code === 'EADDRINUSE') return `PORT: got ${port}, takes one that no other process listens on`;
  if (syscall === 'listen' && /^(ENOTFOUND|EADDRNOTAVAIL|EACCES)$/.test(code))
    return `HOST or PORT: can't be listened on (${message}), take an address of this machine and a free port`;
  if (code === '42501')
    return `DATABASE_URL: can't be used (${message}), takes the PostgreSQL user who owns the tables`;
  if (isUnreachable(Object.assign(new Error(message), { code })) || /^(28|3D)/.test(code))
    return `DATABASE_URL: can't be used (${message || code}), takes a PostgreSQL that answers`;
  return undefined;
}
