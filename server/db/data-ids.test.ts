import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test.for(['users', 'sessions', 'organizations', 'applications', 'webhooks'])(
  'ids of %s are random, because counted ones tell how many there are (A17)',
  async (table) => {
    const { rows } = await sql<{ rule: string | null }>`
      select column_default as rule from information_schema.columns
      where table_name = ${table} and column_name = 'id' and is_identity = 'NO'`.execute(app.deps.sql);
    const next = sql.raw(rows[0]?.rule ?? 'null');
    const drawn = await sql<{ id: number }>`
      select ${next}::float8 as id from generate_series(1, 100)`.execute(app.deps.sql);
    const ids = drawn.rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(100);
    expect(Math.max(...ids) - Math.min(...ids)).toBeGreaterThan(2 ** 40);
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(2 ** 46);
    expect(Math.max(...ids)).toBeLessThan(2 ** 47);
  },
);
