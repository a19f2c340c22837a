import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import type { Answer } from '#server/testing/visitor.ts';

type Fingerprint = Readonly<Record<string, string>>;

/**
 * The number of rows of each table, and the transaction that wrote last: equal ones mean that nothing was
 * written. Rate limits do not count. Last uses do not either, so tables that hold them are compared by value.
 */
export async function fingerprint(database: Db): Promise<Fingerprint> {
  const { rows: tables } = await sql<{ name: string; has_last_use: boolean }>`
    select tablename as name, exists (select from information_schema.columns
      where table_schema = 'public' and table_name = tablename and column_name = 'last_seen_at') as has_last_use
    from pg_tables where schemaname = 'public' and tablename <> 'rate_limits'`.execute(database);
  const looks = tables.map(({ name, has_last_use }) => {
    const look = has_last_use
      ? sql`md5(string_agg((to_jsonb(t) - 'last_seen_at')::text, chr(10) order by (to_jsonb(t) - 'last_seen_at')::text))`
      : sql`count(*) || ' rows, the last of ' || coalesce(max(xmin::text::bigint), 0)`;
    return sql`select ${name} as name, ${look} as look from ${sql.table(name)} as t`;
  });
  const { rows } = await sql<{ name: string; look: string }>`${sql.join(looks, sql` union all `)}`.execute(
    database,
  );
  return Object.fromEntries(rows.map(({ name, look }) => [name, look]));
}

/** Makes a call that must write nothing, not even a mail; throws with the changed tables. */
export async function untouched(
  { deps }: Pick<TestApp, 'deps'>,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const before = await fingerprint(deps.sql);
  const answer = await call();
  const after = await fingerprint(deps.sql);
  const changedTables = Object.keys(after).filter((table) => after[table] !== before[table]);
  if (changedTables.length > 0)
    throw new Error(`${answer.code ?? answer.status} wrote to ${changedTables.join(', ')}`);
  return answer;
}
