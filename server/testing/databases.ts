import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { type Database, openPostgres, overPGlite } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { cableTo } from '#server/testing/cable.ts';
import { sha256 } from '#server/keys.ts';

const root = path.join(import.meta.dirname, '../..');
const migrations = path.join(root, 'server/db/migrations');

export type TestDatabase = Database & {
  readonly engine: 'pglite' | 'postgres';
  readonly url: string | undefined;
  /** Takes the database away from under the app, as a crash or a lost network would. */
  cut(): Promise<void>;
};

/** A fresh, migrated database of the engine that TEST_ENGINE names; on PostgreSQL also a second way to one there is. */
export async function openTestDatabase(shared?: TestDatabase): Promise<TestDatabase> {
  if (process.env['TEST_ENGINE'] !== 'postgres') {
    if (shared) throw new Error('the embedded database serves one process');
    const pglite = await pgliteFromSnapshot();
    return { ...overPGlite(pglite), engine: 'pglite', url: undefined, cut: () => pglite.close() };
  }
  const url = shared?.url ?? (await createPostgresDatabase());
  const cable = await cableTo(url);
  const database = openPostgres(cable.url);
  await migrate(database);
  return { ...database, engine: 'postgres', url, cut: cable.cut };
}

/** A new, empty database on the PostgreSQL that the test run started. */
export async function createPostgresDatabase(): Promise<string> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('TEST_POSTGRES_URL is not set');
  const name = `t${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Making an embedded database takes seconds, so one migrated snapshot serves all until a migration changes. */
async function pgliteFromSnapshot(): Promise<PGlite> {
  const folder = path.join(root, 'node_modules/.cache/portico');
  const texts = readdirSync(migrations).map(
    (name) => name + readFileSync(path.join(migrations, name), 'utf8'),
  );
  const version = readFileSync(path.join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
  const file = path.join(
    folder,
    `pglite-${sha256(texts.join('') + version)
      .toString('hex')
      .slice(0, 16)}.tar`,
  );
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
  return PGlite.create({ loadDataDir: new Blob([readFileSync(file)]) });
}
