import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, type Db, openPostgres } from './connect.ts';
import { isUnreachable } from './constraints.ts';
import { hiddenValue, prepared } from './prepared.ts';
import { createPostgresDatabase, PATIENCE } from '#server/testing/databases.ts';
import { skipDrawing } from '#server/testing/icons.ts';
import { buildWorld, inputOf } from '#server/testing/matrix-world.ts';
import { calls } from '#server/testing/matrix.ts';
import { send } from '#server/testing/send.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';

// PostgreSQL parses and plans frequent queries once per connection.

/** The prepared statements of this connection that contain `text`. */
const preparedStatements = async (database: Db, text: string) => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements
    where statement like ${`%${text}%`} and name like 'portico%'`.execute(database);
  return rows.map(({ statement }) => statement);
};

let alone: Database;
beforeAll(async () => {
  alone = openPostgres(await createPostgresDatabase(), 1, PATIENCE);
});
afterAll(() => alone.close());

type Number = { readonly number: number };
const more = prepared((_, { number }: Number) => sql<Number>`select ${number}::int + 1 as number`);
const less = prepared(
  (_, { number }: Number) => sql<Number>`select ${number}::int - 1 as number`,
  'each time',
);

test('a statement is prepared once, and each call has its own values', async () => {
  expect(await more(alone.reading, { number: 1 })).toEqual([{ number: 2 }]);
  expect(await more(alone.reading, { number: 41 })).toEqual([{ number: 42 }]);
  expect(await preparedStatements(alone.reading, '::int + 1 as')).toHaveLength(1);
});

test('a connection that lost its statements is closed at their first use', async () => {
  expect(await more(alone.reading, { number: 1 })).toEqual([{ number: 2 }]);
  await sql`deallocate all`.execute(alone.reading);
  const isLost = await more(alone.reading, { number: 1 }).then(() => false, isUnreachable);
  expect(isLost).toBe(true);
  expect(await more(alone.reading, { number: 1 })).toEqual([{ number: 2 }]);
});

test('a query whose row type has changed fails once, and a new connection answers it', async () => {
  await sql`create table grown (first int)`.execute(alone.changing);
  const all = prepared(() => sql<object>`select * from grown`);
  await all(alone.reading, {});
  await sql`alter table grown add column second int`.execute(alone.changing);
  const isChanged = await all(alone.reading, {}).then(() => false, isUnreachable);
  expect(isChanged).toBe(true);
  expect(await all(alone.reading, {})).toEqual([]);
});

test('a query that is planned each time is not prepared', async () => {
  expect(await less(alone.reading, { number: 1 })).toEqual([{ number: 0 }]);
  expect(await less(alone.reading, { number: 42 })).toEqual([{ number: 41 }]);
  expect(await preparedStatements(alone.reading, '::int - 1 as')).toEqual([]);
});

type Words = { readonly words: readonly string[] };
const operators = prepared(
  (_, { words }: Words) =>
    sql<object>`select from pg_operator where oprname = any(${hiddenValue(words, 'text[]')})`,
);

test('a hidden list of one value gets the generic plan', async () => {
  for (let time = 0; time < 10; time += 1) await operators(alone.reading, { words: ['?-|'] });
  const { rows: plans } = await sql`select generic_plans > 0 as "isKept" from pg_prepared_statements
    where statement like '%pg_operator%' and name like 'portico%'`.execute(alone.reading);
  expect(plans).toEqual([{ isKept: true }]);
});

/** The status of each endpoint for a Super Admin, with a new world for each feature. */
async function callAll(app: TestApp): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const group of Object.values(Object.groupBy(calls, ({ feature }) => feature))) {
    const world = await buildWorld(app);
    for (const { feature, name, call, row } of group ?? []) {
      const input = await inputOf(call, row, world);
      statuses[`${feature}.${name}`] = (await send(world.visitors.superAdmin, call, input)).status;
    }
  }
  return statuses;
}

test('an older process still works after a release has added a column to every table', async () => {
  const app = await startApp({ RATE_LIMIT_FACTOR: '100' });
  skipDrawing(app);
  const before = await callAll(app);
  const unanswered = Object.entries(before).filter(([, status]) => status >= 500 || status === 429);
  // The provider cannot be reached.
  expect(unanswered).toEqual([['social.start', 503]]);
  expect(await preparedStatements(app.deps.sql, '')).not.toEqual([]);
  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> 'migrations'`.execute(app.deps.sql);
  expect(tables.length).toBeGreaterThan(15);
  for (const { name } of tables)
    await sql`alter table ${sql.table(name)} add column of_next_release int`.execute(app.database.changing);
  expect(await callAll(app)).toEqual(before);
  await app.close();
});
