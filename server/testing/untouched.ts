import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import type { Answer } from '#server/testing/visitor.ts';

type Digests = Readonly<Record<string, string | null>>;
/** The last fingerprint of each database, and the visible transactions at that time. */
const fingerprints = new WeakMap<Db, { readonly seen: string; readonly digests: Digests }>();

/**
 * A digest of each table's rows, without rate limits and last uses: equal digests mean that nothing was
 * written. Call it outside of a transaction, because it might miss that transaction's own writes.
 */
export async function fingerprint(database: Db): Promise<Digests> {
  // The same visible transactions mean the same rows, so the last digests are still valid.
  const snapshot = sql<{ seen: string }>`select pg_current_snapshot()::text as seen`;
  const visible = (await snapshot.execute(database)).rows[0]?.seen ?? '';
  const before = fingerprints.get(database);
  if (before?.seen === visible) return before.digests;

  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> 'rate_limits' order by 1`.execute(database);
  const digested = tables.map(
    ({ name }) => sql`select ${name} as name, md5(string_agg(text, chr(10) order by text)) as digest
      from (select (to_jsonb(row) - 'last_seen_at')::text as text from ${sql.table(name)} as row) as texts`,
  );
  const { rows } = await sql<{
    name: string;
    digest: string | null;
  }>`${sql.join(digested, sql` union all `)}`.execute(database);
  const digests = Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  fingerprints.set(database, { seen: visible, digests });
  return digests;
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
