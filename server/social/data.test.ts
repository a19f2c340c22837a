import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { providerNames } from '#contract/social/calls.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test('the database knows exactly the providers of the contract', async () => {
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'social_identities_provider_known'
  `.execute(app.deps.sql);
  const known = [...(rows[0]?.rule ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name);
  expect(new Set(known)).toEqual(new Set(providerNames));
});
