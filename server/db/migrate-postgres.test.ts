import { readdirSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { type Database, openPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { createPostgresDatabase } from '#server/testing/databases.ts';

const files = readdirSync(path.join(import.meta.dirname, 'migrations')).toSorted();

const open: Database[] = [];
afterEach(() => Promise.all(open.splice(0).map((database) => database.close())));
const kept = (database: Database) => {
  open.push(database);
  return database;
};

const applied = async ({ sql: handle }: Database) => {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(handle);
  return rows.map(({ name }) => name);
};

describe('starts at once', () => {
  test('apply each file once between them', async () => {
    const url = await createPostgresDatabase();
    const starts = [1, 2, 3, 4, 5].map(() => migrate(kept(openPostgres(url, 1))));
    const done = await Promise.all(starts);
    expect(done.flat()).toEqual(files);
    expect(await applied(kept(openPostgres(url, 1)))).toEqual(files);
  });

  test('wait for one another longer than a query may take', async () => {
    const url = await createPostgresDatabase();
    const [slow, other] = [kept(openPostgres(url, 1)), kept(openPostgres(url, 1))];
    const holding = slow.exclusively(async (script) => {
      await script('select pg_advisory_xact_lock(7041776)');
      await script('select pg_sleep(3.5)');
    });
    await expect
      .poll(
        async () =>
          (await sql`select 1 from pg_locks where locktype = 'advisory'`.execute(other.sql)).rows.length,
      )
      .toBe(1);
    expect(await migrate(other)).toEqual(files);
    await holding;
  });
});
