import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, type Db, openPostgres, overPGlite } from '#server/db/connect.ts';
import { emptyDatabase } from '#server/db/empty.ts';
import { migrate } from '#server/db/migrate.ts';
import { cableTo } from './cable.ts';
import { runUnguarded } from './unguarded.ts';

const root = path.join(import.meta.dirname, '../..');

export type TestDatabase = Database & {
  /** For the test's own queries. */
  readonly sql: Db;
  readonly engine: 'pglite' | 'postgres';
  readonly url: string | undefined;
  /** Disconnects the app from the database, as a crash or a lost network would. */
  cut(): Promise<void>;
};

/**
 * Filters `pg_locks` to this database, because other tests lock tables with the same ids in other databases.
 */
export const lockedHere = sql`database = (select oid from pg_database where datname = current_database())`;

/** Multiplies the portal's timeouts in tests, which must not depend on the machine's speed. */
export const PATIENCE = 10;

/**
 * A fresh, migrated database of the engine that TEST_ENGINE names; on PostgreSQL, `shared` opens another pool
 * on an existing one.
 */
export async function openTestDatabase(shared?: TestDatabase, times = PATIENCE): Promise<TestDatabase> {
  if (process.env['TEST_ENGINE'] !== 'postgres') {
    if (shared) throw new Error('the embedded database serves one process');
    const pglite = lend(idle.pop() ?? (await pgliteFromSnapshot()));
    const database = overPGlite(pglite.lease);
    return {
      ...database,
      sql: database.changing,
      engine: 'pglite',
      url: undefined,
      cut: pglite.cut,
    };
  }
  const url = shared?.url ?? (await createPostgresDatabase(await migratedPostgres()));
  const cable = await cableTo(url);
  const database = openPostgres(cable.url, Infinity, times);
  return { ...database, sql: database.changing, engine: 'postgres', url, cut: cable.cut };
}

export async function createPostgresDatabase(template = 'template1'): Promise<string> {
  const name = `t${randomBytes(6).toString('hex')}`;
  // Copying files is faster than logging them, and the test run does not wait for the disk.
  await onPostgres((client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  return urlOf(name);
}

/** The name of the migrated database that others are copied from; the first worker of a run creates it. */
let template: Promise<string> | undefined;
const migratedPostgres = () => (template ??= makeTemplate());

async function makeTemplate(): Promise<string> {
  const name = `migrated_${release()}`;
  await onPostgres(async (client) => {
    await client.query(`select pg_advisory_lock(1)`);
    const { rowCount } = await client.query(`select 1 from pg_database where datname = $1`, [name]);
    if (rowCount === 1) return;
    await client.query(`create database making`);
    const database = openPostgres(urlOf('making'));
    await migrate(database);
    await database.close();
    await client.query(`alter database making rename to ${name}`);
  });
  return name;
}

async function onPostgres<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('TEST_POSTGRES_URL is not set');
  return server;
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

/** Changes with the migrations and the engine. */
const release = () => path.basename(emptyDatabase());

/** Emptied embedded databases for reuse, because starting one takes as long as ten tests. */
const idle: PGlite[] = [];
/** A worker exits even if one of these is open; other programs have to close theirs to exit. */
const isWorker = process.env['VITEST'] !== undefined;

/**
 * Lends a database to one app. Once the app closes it, it stays closed for that app, and another may use it.
 */
function lend(pglite: PGlite) {
  let isClosed = false;
  const end = async (release: () => Promise<unknown>) => {
    const isFirst = !isClosed;
    isClosed = true;
    if (isFirst) await release();
  };
  const close = () =>
    end(async () => {
      // A database that cannot be emptied, for example because of an open transaction, is not reused.
      const isReady = isWorker && (await empty(pglite).catch(() => false));
      await (isReady ? idle.push(pglite) : pglite.close());
    });
  const lease = new Proxy(pglite, {
    get(target, name) {
      if (name === 'closed') return isClosed;
      if (name === 'close') return close;
      if (isClosed) throw new Error('PGlite is closed');
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { lease, cut: () => end(() => pglite.close()) };
}

/**
 * Empties a database; false if a test has left other tables, triggers or functions than the migrations make.
 */
async function empty(pglite: PGlite): Promise<boolean> {
  await pglite.exec('discard all');
  if ((await shapeOf(pglite)) !== (await expectedShape)) return false;
  const { rows } = await pglite.query<{ tables: string }>(
    `select string_agg(tablename, ', ') as tables from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
  );
  await runUnguarded(overPGlite(pglite).changing, `truncate ${rows[0]?.tables} restart identity`);
  await pglite.exec('delete from pg_statistic');
  await pglite.exec('checkpoint');
  return true;
}
let expectedShape: Promise<string> | undefined;

/** A hash of the schema. */
async function shapeOf(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query<{ shape: string }>(`
    select md5(string_agg(part, ',' order by part)) as shape from (
      select format('%s.%s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod)) from pg_attribute
        join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
      union all select adrelid::regclass || ' ' || pg_get_expr(adbin, adrelid) from pg_attrdef
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
      union all select proname || prosrc from pg_proc where pronamespace = 'public'::regnamespace
      union all select name || checksum from migrations
    ) as parts (part)`);
  return rows[0]?.shape ?? '';
}

/**
 * Creating an embedded database takes seconds, so all start from one migrated snapshot until a migration
 * changes.
 */
async function pgliteFromSnapshot(): Promise<PGlite> {
  const folder = path.join(root, 'node_modules/.cache/portico');
  const file = path.join(folder, `pglite-${release()}.tar`);
  if (!existsSync(file)) {
    const fresh = await PGlite.create();
    await migrate(overPGlite(fresh));
    const dump = await fresh.dumpDataDir('none');
    await fresh.close();
    mkdirSync(folder, { recursive: true });
    const part = `${file}.${process.pid}`;
    writeFileSync(part, Buffer.from(await dump.arrayBuffer()));
    renameSync(part, file);
  }
  const pglite = await PGlite.create({ loadDataDir: new Blob([readFileSync(file)]) });
  await (expectedShape ??= shapeOf(pglite));
  return pglite;
}
