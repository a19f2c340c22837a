import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#server/testing/databases.ts';

// What tests share must not tell one of another.

/** When its engine was started, which tells two of them apart. */
async function startOf({ sql: database }: TestDatabase) {
  const { rows } = await sql<{ at: Date }>`select pg_postmaster_start_time() as at`.execute(database);
  return rows[0]?.at.getTime();
}
const addPerson = ({ sql: database }: TestDatabase) =>
  database
    .insertInto('users')
    .values({ email: 'a@b.example', created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();

test('an embedded database serves again, empty and for nobody who had it before', async () => {
  const first = await openTestDatabase();
  const { id } = await addPerson(first);
  const start = await startOf(first);
  await sql`analyze users`.execute(first.sql);
  await first.close();
  await first.close();
  const second = await openTestDatabase();
  expect(await startOf(second)).toBe(start);
  expect(await second.sql.selectFrom('users').select('id').execute()).toEqual([]);
  expect(await addPerson(second)).toEqual({ id });
  const { rows } = await sql`select 1 from pg_stats where tablename = 'users'`.execute(second.sql);
  expect(rows).toEqual([]);
  await expect(addPerson(first)).rejects.toThrow('destroyed');
  await second.close();
});

test.for(['alter table users add column more int', 'alter table users alter first_name set default 1'])(
  'one that is not as it was made serves nobody else: %s',
  async (change) => {
    const changed = await openTestDatabase();
    const start = await startOf(changed);
    await sql.raw(change).execute(changed.sql);
    await changed.close();
    const next = await openTestDatabase();
    expect(await startOf(next)).not.toBe(start);
    await next.close();
  },
);

test('one that was cut off serves nobody else', async () => {
  const cut = await openTestDatabase();
  const start = await startOf(cut);
  await cut.cut();
  await cut.close();
  const next = await openTestDatabase();
  expect(await startOf(next)).not.toBe(start);
  await next.close();
});
