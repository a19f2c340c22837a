import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** Every row of every table as text, by table and in a fixed order: what a refused request must leave as it was. */
export async function everyRow(database: Db, { but = [] }: { but?: string[] } = {}) {
  const { rows: tables } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(database);
  const found: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => !but.includes(table.name))) {
    const all = sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`;
    found[name] = (await all.execute(database)).rows.map(({ row }) => row);
  }
  return found;
}
