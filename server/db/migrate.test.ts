import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { type Database, openPostgres, overPGlite } from './connect.ts';
import { compareRelease, migrate } from './migrate.ts';
import { release } from '#server/local-address.ts';
import { createPostgresDatabase } from '#server/testing/databases.ts';
import { andNext, NEXT } from '#server/testing/next-release.ts';

const files = readdirSync(path.join(import.meta.dirname, 'migrations')).toSorted();
const onPostgres = process.env['TEST_ENGINE'] === 'postgres';

const open: Database[] = [];
afterEach(() => Promise.all(open.splice(0).map((database) => database.close())));
const closedLater = (database: Database) => {
  open.push(database);
  return database;
};
const emptyDatabase = async () =>
  closedLater(onPostgres ? openPostgres(await createPostgresDatabase()) : overPGlite(await PGlite.create()));

const applied = async ({ changing: handle }: Database) => {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(handle);
  return rows.map(({ name }) => name);
};

test('migrations are numbered without gaps, one topic each', () => {
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, at) => at + 1));
  for (const name of files) expect(name).toMatch(/^\d{4}_[a-z-]+\.sql$/);
});

test('every file is applied once, in order, and a database of another release is refused with its name', async () => {
  const database = await emptyDatabase();
  expect(await migrate(database)).toEqual(files);
  await sql`insert into users (email, created_at) values ('a@b.example', now())`.execute(database.changing);
  const next = andNext('alter table users add column nickname text;');
  expect(await migrate(database, next)).toEqual([NEXT]);
  expect(await migrate(database, next)).toEqual([]);
  expect(await applied(database)).toEqual([...files, NEXT]);
  const { rows } = await sql`select email from users`.execute(database.changing);
  expect(rows).toEqual([{ email: 'a@b.example' }]);

  const [first] = files;
  await sql`update migrations set checksum = 'other' where name = ${first}`.execute(database.changing);
  writeFileSync(path.join(next, '9001_notes.sql'), 'create table notes (id int);');
  await expect(migrate(database, next)).rejects.toThrow(
    `the database is of release ${release}, whose ${first} this one (${release}) can’t read. Start that release again, or `,
  );
  expect(await applied(database)).toEqual([...files, NEXT]);
  // As earlier releases left it: other files, and fewer notes of them.
  await sql`update migrations set name = '0001_accounts.sql' where name = ${first}`.execute(
    database.changing,
  );
  await sql`alter table migrations drop column needs, drop column release`.execute(database.changing);
  for (const read of [migrate, compareRelease])
    await expect(read(database)).rejects.toThrow('the database is of an earlier release, whose ');
});

test('a file that fails leaves the database unchanged', async () => {
  const database = await emptyDatabase();
  // The file makes a table of the same name.
  await sql`create table activity (id int)`.execute(database.changing);
  await expect(migrate(database)).rejects.toThrow(
    /^the database holds tables that this product did not make \(relation "activity" already exists\)/,
  );
  const { rows } =
    await sql`select to_regclass('users') as users, to_regclass('migrations') as migrations`.execute(
      database.changing,
    );
  expect(rows).toEqual([{ users: null, migrations: null }]);
  await sql`drop table activity`.execute(database.changing);
  expect(await migrate(database)).toEqual(files);
});
