import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import type { Answer } from '#server/testing/visitor.ts';

type Digests = Readonly<Record<string, string | null>>;
/** What was last taken of a database, and the transactions that could be seen then. */
const taken = new WeakMap<Db, { readonly seen: string; readonly digests: Digests }>();

/**
 * A digest of each table's rows, counts of tries and last uses aside: two alike mean that nothing was written in between.
 * To be asked for outside of a transaction, whose own writes it might miss.
 */
export async function fingerprint(database: Db): Promise<Digests> {
  // Whoever sees the same transactions sees the same rows, and need not look at all of them.
  const snapshot = sql<{ seen: string }>`select pg_current_snapshot()::text as seen`;
  const seen = (await snapshot.execute(database)).rows[0]?.seen ?? '';
  const before = taken.get(database);
  if (before?.seen === seen) return before.digests;

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
  taken.set(database, { seen, digests });
  return digests;
}

/** A call that is to write nothing, no mail either; throws with the tables that it wrote to. */
export async function untouched(
  { deps }: Pick<TestApp, 'deps'>,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const before = await fingerprint(deps.sql);
  const answer = await call();
  const after = await fingerprint(deps.sql);
  const written = Object.keys(after).filter((table) => after[table] !== before[table]);
  if (written.length > 0) throw new Error(`${answer.code ?? answer.status} wrote to ${written.join(', ')}`);
  return answer;
}
