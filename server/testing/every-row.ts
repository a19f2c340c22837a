import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/**
 * Every row of every table as text, by table and in a fixed order, to prove that a refused request changed
 * nothing.
 */
export async function everyRow(database: Db, { but = [] }: { but?: string[] } = {}) {
  const { rows: tables } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(database);
  const rowsByTable: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => !but.includes(table.name))) {
    const all = sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`;
    rowsByTable[name] = (await all.execute(database)).rows.map(({ row }) => row);
  }
  return rowsByTable;
}
