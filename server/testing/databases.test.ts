import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#server/testing/databases.ts';

// Tests reuse databases, which must not contain anything of earlier tests.

/** The engine's start time, which identifies it. */
async function startOf({ sql: database }: TestDatabase) {
  const { rows } = await sql<{ at: Date }>`select pg_postmaster_start_time() as at`.execute(database);
  return rows[0]?.at.getTime();
}
const addJob = ({ sql: database }: TestDatabase) =>
  database
    .insertInto('jobs')
    .values({ kind: 'test', payload: {}, created_at: new Date(), run_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();

test('an embedded database is emptied before it is reused, and stays closed for its previous user', async () => {
  const first = await openTestDatabase();
  const { id } = await addJob(first);
  const start = await startOf(first);
  await sql`analyze jobs`.execute(first.sql);
  await first.close();
  await first.close();
  const second = await openTestDatabase();
  expect(await startOf(second)).toBe(start);
  expect(await second.sql.selectFrom('jobs').select('id').execute()).toEqual([]);
  expect(await addJob(second)).toEqual({ id });
  const { rows } = await sql`select 1 from pg_stats where tablename = 'jobs'`.execute(second.sql);
  expect(rows).toEqual([]);
  await expect(addJob(first)).rejects.toThrow('destroyed');
  await second.close();
});

test.for(['alter table users add column more int', 'alter table users alter first_name set default 1'])(
  'a database with a changed schema is not reused: %s',
  async (change) => {
    const database = await openTestDatabase();
    const start = await startOf(database);
    await sql.raw(change).execute(database.sql);
    await database.close();
    const next = await openTestDatabase();
    expect(await startOf(next)).not.toBe(start);
    await next.close();
  },
);

test('a database that was cut off is not reused', async () => {
  const cut = await openTestDatabase();
  const start = await startOf(cut);
  await cut.cut();
  await cut.close();
  const next = await openTestDatabase();
  expect(await startOf(next)).not.toBe(start);
  await next.close();
});
