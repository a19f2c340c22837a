import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { TestApp } from './start-app.ts';
import type { Answer } from './visitor.ts';

type Fingerprint = Readonly<Record<string, string>>;

/**
 * The number of rows of each table, and the transaction that wrote last: equal ones mean that nothing was
 * written. Rate limits do not count. Last uses do not either, so tables that hold them are compared by value.
 */
export async function fingerprint(database: Db): Promise<Fingerprint> {
  const look = looks.get(database) ?? lookAtTables(database);
  looks.set(database, look);
  const rows = await (await look)(database, {});
  return Object.fromEntries(rows.map(({ name, look }) => [name, look]));
}

type Look = (database: Db, values: object) => Promise<{ readonly name: string; readonly look: string }[]>;
/** Made once for each database, because the catalog answers slowly, and prepared, because planning takes most of the time. */
const looks = new WeakMap<Db, Promise<Look>>();

async function lookAtTables(database: Db): Promise<Look> {
  const { rows: tables } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' and table_name not in ('rate_limits', 'sign_in_waits') group by 1`.execute(
    database,
  );
  const ofEach = tables.map(({ name, columns }) => {
    const lasting = columns.filter((column) => column !== 'last_seen_at').map((column) => sql.ref(column));
    const look =
      lasting.length < columns.length
        ? sql`sum(hash_record_extended(row(${sql.join(lasting)}), 0))::text`
        : sql`count(*) || ' rows, the last of ' || coalesce(max(xmin::text::bigint), 0)`;
    return sql`select ${sql.lit(name)} as name, ${look} as look from ${sql.table(name)}`;
  });
  return prepared(() => sql`${sql.join(ofEach, sql` union all `)}`);
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
