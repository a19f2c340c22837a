import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { beforeAll, expect, test } from 'vitest';
import { transaction } from './connect.ts';
import { prepared, preparedTogether } from './prepared.ts';
import { openTestDatabase } from '#server/testing/databases.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { useServer } from '#server/testing/use-app.ts';

const now = new Date('2026-03-02T09:00:00.123Z');
const database = useServer(() => openTestDatabase());
beforeAll(async () => {
  const people = ['ann', 'bob', 'cid'].map((name) => ({ email: `${name}@b.example`, created_at: now }));
  await database.sql.insertInto('users').values(people).execute();
});

const built: string[] = [];
type EmailsKey = { readonly emails: readonly string[]; readonly before: Date };
const emailsOf = prepared((database, { emails, before }: EmailsKey, order: 'asc' | 'desc') => {
  built.push(order);
  return database
    .selectFrom('users')
    .select('email')
    .where('email', '=', sql<string>`any(${emails}::text[])`)
    .where('created_at', '<', before)
    .where('confirmed_at', 'is', null)
    .orderBy('email', order);
});
const later = new Date(now.getTime() + 1);
const names = async (emails: string[], order: 'asc' | 'desc', before = later) => {
  const rows = await emailsOf(database.sql, { emails, before }, order);
  return rows.map(({ email }) => email?.slice(0, 3));
};

test('each call has its own values; the query is built once for each form', async () => {
  expect(await names(['ann@b.example', 'bob@b.example'], 'asc')).toEqual(['ann', 'bob']);
  expect(await names(['cid@b.example', 'bob@b.example'], 'asc')).toEqual(['bob', 'cid']);
  expect(await names(['cid@b.example', 'bob@b.example'], 'desc')).toEqual(['cid', 'bob']);
  expect(await names(['ann@b.example'], 'asc', now)).toEqual([]);
  expect(await names([], 'desc')).toEqual([]);
  expect(built).toEqual(['asc', 'desc']);
});

test('a query that depends on a value cannot be built', async () => {
  const all = sql<{ one: number }>`select 1 as one`;
  type Named = { readonly name: string };
  const misused = [
    prepared((_, { name }: Named) => (`by ${name}` === 'by a' ? all : all)),
    prepared((_, { name }: Named) => (name > 'a' ? all : all)),
    prepared((_, { name }: Named) => (name.valueOf() === 'a' ? all : all)),
    prepared((_, { name }: Named) => sql<{ one: number }>`select ${JSON.stringify({ name })}::int as one`),
  ];
  for (const query of misused)
    await expect(query(database.sql, { name: 'a' })).rejects.toThrow('decide by the form, not by "name"');
});

test("concurrent calls never get each other's values", async () => {
  const all = ['ann', 'bob', 'cid'];
  const callNames = Array.from({ length: 30 }, (_, nth) => all[nth % 3] ?? '');
  const answers = await Promise.all(callNames.map((name) => names([`${name}@b.example`], 'asc')));
  expect(answers).toEqual(callNames.map((name) => [name]));
});

test("a plain SQL template runs inside the caller's transaction", async () => {
  const add = prepared(
    (_, { email, at }: { readonly email: string | null; readonly at: Date }) => sql<{ email: string | null }>`
      insert into users (email, created_at) values (${email}, ${at}) returning email`,
  );
  const rolledBack = transaction(database.sql, async (tx) => {
    expect(await add(tx, { email: 'dan@b.example', at: now })).toEqual([{ email: 'dan@b.example' }]);
    expect(await add(tx, { email: null, at: now })).toEqual([{ email: null }]);
    throw new Error('undone');
  });
  await expect(rolledBack).rejects.toThrow('undone');
  expect(await names(['dan@b.example'], 'asc')).toEqual([]);
});

test('of calls in one query, each gets its own row or none, by its own value and form', async () => {
  const find = preparedTogether(
    database.sql,
    (database, { name }: { readonly name: string }, order: 'asc' | 'desc') => {
      const emails = database
        .selectFrom('users')
        .select('email')
        .where('email', 'like', name)
        .orderBy('email', order);
      const list = database.selectNoFrom(jsonArrayFrom(emails).as('emails')).as('list');
      return database
        .selectFrom(list)
        .selectAll()
        .where(sql<boolean>`json_array_length(emails) > 0`);
    },
  );
  const patterns = ['ann%', 'nobody', '%@b.example', 'bob%'];
  const all = patterns.flatMap((name) => [find({ name }, 'asc'), find({ name }, 'desc')]);
  let answers: unknown[] = [];
  const queries = await queriesOf(async () => {
    answers = await Promise.all([...all, ...Array.from({ length: 6 }, () => find({ name: 'cid%' }, 'asc'))]);
  });
  const rowOf = (...names: readonly string[]) => ({
    emails: names.map((name) => ({ email: `${name}@b.example` })),
  });
  expect(answers).toEqual([
    rowOf('ann'),
    rowOf('ann'),
    undefined,
    undefined,
    rowOf('ann', 'bob', 'cid'),
    rowOf('cid', 'bob', 'ann'),
    rowOf('bob'),
    rowOf('bob'),
    ...Array.from({ length: 6 }, () => rowOf('cid')),
  ]);
  // Ten calls in one form make statements of eight and two; four in the other form make one.
  expect(queries).toHaveLength(3);
});
