import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#server/testing/databases.ts';

// Triggers count members on every statement: for one row or many, in one organization or several.

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.exclusively((script) =>
    script(`
      insert into users (id, created_at) select n, now() from generate_series(1, 12) as n;
      insert into organizations (id, name, url_name, application_name, created_at)
        select n, 'O', 'o' || n, 'Portico', now() from generate_series(1, 2) as n;
      insert into roles (org_id, name, name_key, kind, is_admin, created_at)
        select org, 'Role ' || n, 'role ' || n, 'custom', false, now()
        from generate_series(1, 2) as org, generate_series(1, 2) as n;`),
  );
});
afterAll(() => database.close());

const change = (text: string) => database.exclusively((script) => script(text));
const storedCounts = async () =>
  (
    await sql<{ at: string }>`select concat_ws('/', org_id, role_id, status, members) as at from member_counts
      where members > 0 order by org_id, role_id, status`.execute(database.sql)
  ).rows.map(({ at }) => at);
const countedRows = async () =>
  (
    await sql<{ at: string }>`select concat_ws('/', org_id, role_id, status, count(*)) as at from memberships
      group by org_id, role_id, status order by org_id, role_id, status`.execute(database.sql)
  ).rows.map(({ at }) => at);

// Each test continues from the one before. Organization 1 has roles 1 and 2, organization 2 roles 3 and 4.
test.for<[what: string, statement: string, left: readonly string[]]>([
  [
    'people join two organizations at once',
    `insert into memberships (org_id, user_id, role_id, status, first_name, created_at)
      select 1 + n % 2, n, 1 + n % 2 * 2, case when n < 5 then 1 else 2 end, 'Maya', now() from generate_series(1, 12) as n`,
    ['1/1/1/2', '1/1/2/4', '2/3/1/2', '2/3/2/4'],
  ],
  [
    'all are renamed',
    `update memberships set first_name = 'Mia'`,
    ['1/1/1/2', '1/1/2/4', '2/3/1/2', '2/3/2/4'],
  ],
  [
    'one joins',
    'update memberships set status = 2 where user_id = 1',
    ['1/1/1/2', '1/1/2/4', '2/3/1/1', '2/3/2/5'],
  ],
  [
    'a role is handed on',
    'update memberships set role_id = 2 where role_id = 1',
    ['1/2/1/2', '1/2/2/4', '2/3/1/1', '2/3/2/5'],
  ],
  [
    'nobody is touched',
    'update memberships set role_id = 4 where user_id = 99',
    ['1/2/1/2', '1/2/2/4', '2/3/1/1', '2/3/2/5'],
  ],
  ['some go', 'delete from memberships where user_id in (2, 3, 12)', ['1/2/1/1', '1/2/2/3', '2/3/2/5']],
  ['a person is erased', 'delete from users where id = 4', ['1/2/2/3', '2/3/2/5']],
  ['an organization goes whole', 'delete from organizations where id = 2', ['1/2/2/3']],
])('%s', async ([, statement, counts]) => {
  await change(statement);
  expect(await storedCounts()).toEqual(counts);
  expect(await countedRows()).toEqual(counts);
});
