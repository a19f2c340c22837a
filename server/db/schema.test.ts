import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { APPLICATION_KINDS } from '#contract/applications/registration.ts';
import { JOINING } from '#contract/company-sign-in/domains.ts';
import { COMPANY_RULES } from '#contract/company-sign-in/rule.ts';
import { SECOND_STEP_RULES } from '#contract/organizations/second-step-rule.ts';
import { rights } from '#contract/roles/permissions.ts';
import { SECOND_STEPS } from '#contract/sign-in/calls.ts';
import { providerNames } from '#contract/social/calls.ts';
import { openTestDatabase } from '#server/testing/databases.ts';
import { useServer } from '#server/testing/use-app.ts';

const folder = path.join(import.meta.dirname, 'migrations');
const texts = [
  ...readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8')),
  readFileSync(path.join(import.meta.dirname, 'migrate.ts'), 'utf8'),
].join('\n');

const database = useServer(() => openTestDatabase());

test('every constraint is named in a migration, not by PostgreSQL', async () => {
  // 'n' means not null; PostgreSQL 18 lists these too.
  const { rows } = await sql<{ name: string }>`select conname as name from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'`.execute(database.sql);
  expect(rows.length).toBeGreaterThan(30);
  const unnamed = rows.filter(({ name }) => !new RegExp(`\\bconstraint (trigger )?${name}\\b`).test(texts));
  expect(unnamed).toEqual([]);
});

test('every index is named in a migration or belongs to a constraint', async () => {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class index
    where relkind = 'i' and relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_constraint where conindid = index.oid)`.execute(database.sql);
  expect(rows.length).toBeGreaterThan(5);
  expect(
    rows.filter(({ name }) => !new RegExp(`\\bindex (if not exists )?${name} on\\b`).test(texts)),
  ).toEqual([]);
});

test.for<[constraint: string, values: readonly string[]]>([
  ['applications_kind_known', APPLICATION_KINDS],
  ['company_domains_joining_known', JOINING],
  ['organizations_company_rule_known', COMPANY_RULES],
  ['organizations_second_step_rule_known', SECOND_STEP_RULES],
  ['role_rights_action_known', rights],
  ['sessions_second_step_known', [...SECOND_STEPS, 'provider']],
  ['social_identities_provider_known', providerNames],
])('%s lists exactly the values of the contract', async ([constraint, values]) => {
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint where conname = ${constraint}
  `.execute(database.sql);
  const known = [...(rows[0]?.rule ?? '').matchAll(/'([\w-]+)'/g)].map(([, name]) => name ?? '');
  expect(known.toSorted()).toEqual([...values].toSorted());
});

test('every foreign key has an index that finds its rows', async () => {
  // The index must not be partial, and its first column must be one of the key's.
  const { rows } = await sql<{ name: string }>`select conname as name from pg_constraint key
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select 1 from pg_index where indrelid = key.conrelid and indpred is null and indkey[0] = any (key.conkey)
        and not (array_length(key.conkey, 1) > 1 and indkey[0] = key.conkey[1])
    ) order by name`.execute(database.sql);
  expect(rows).toEqual([]);
});

test('timestamps carry their time zone, and ids are big enough', async () => {
  const { rows } = await sql`select table_name, column_name, data_type from information_schema.columns
    where table_schema = 'public' and (data_type like 'timestamp without%'
      or (data_type = 'integer' and (column_name = 'id' or column_name like '%\\_id')))`.execute(
    database.sql,
  );
  expect(rows).toEqual([]);
});

test('a membership can only have a role of its own organization', async () => {
  const idOf = async <T>(query: ReturnType<typeof sql<{ id: T }>>) =>
    (await query.execute(database.sql)).rows[0]?.id;
  const user = await idOf(sql`insert into users (created_at) values (now()) returning id`);
  const organization = (name: string) =>
    idOf(sql`insert into organizations (name, url_name, application_name, created_at)
      values (${name}, ${name}, 'Portico', now()) returning id`);
  const [here, there] = [await organization('here'), await organization('there')];
  const role = await idOf(sql`insert into roles (org_id, name, name_key, kind, is_admin, created_at)
    values (${there}, 'Staff', 'staff', 'custom', false, now()) returning id`);
  const join = sql`insert into memberships (org_id, user_id, role_id, status, first_name, created_at)
    values (${here}, ${user}, ${role}, 2, 'Maya', now())`;
  await expect(join.execute(database.sql)).rejects.toMatchObject({ constraint: 'memberships_role_fkey' });
});
