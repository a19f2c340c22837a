import { CompiledQuery, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { statementName } from '#server/db/prepared.ts';
import type { Query } from './queries.ts';

/** How PostgreSQL executed a statement. */
type Plan = {
  readonly indexes: readonly string[];
  /** Tables read by a sequential scan. */
  readonly scannedTables: readonly string[];
  /** Table rows that were read. */
  readonly rows: number;
};

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
};
type Explained = { 'QUERY PLAN': readonly [{ Plan: Node }] };

/**
 * The plan for these values, as an unnamed statement gets it. It executes the statement once more.
 */
export async function planOf(database: Db, { text, values }: Query): Promise<Plan> {
  const query = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...values]);
  return planFrom((await database.executeQuery<Explained>(query)).rows);
}

export const genericPlanOf = (database: Db, { text, values }: Query): Promise<Plan> =>
  database.connection().execute(async (connection) => {
    const run = (script: string) => connection.executeQuery<Explained>(CompiledQuery.raw(script));
    await run('set plan_cache_mode = force_generic_plan');
    try {
      await run(`prepare hot as ${text}`);
      const args = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
      return planFrom((await run(`explain (analyze, format json) execute hot${args}`)).rows);
    } finally {
      await sql`deallocate hot`.execute(connection);
      await sql`reset plan_cache_mode`.execute(connection);
    }
  });

export const keptPlanOf = (database: Db, query: Query): Promise<Plan> =>
  (statementName(query.text) === undefined ? planOf : genericPlanOf)(database, query);

function literal(value: unknown): string {
  if (value === null) return 'null';
  const text =
    value instanceof Date
      ? value.toISOString()
      : value instanceof Uint8Array
        ? `\\x${Buffer.from(value).toString('hex')}`
        : Array.isArray(value)
          ? `{${JSON.stringify(value).slice(1, -1)}}`
          : `${value as string | number | boolean}`;
  return `'${text.replaceAll("'", "''")}'`;
}

function planFrom(rows: readonly Explained[]): Plan {
  const top = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!top) throw new Error('no plan');
  const indexes = new Set<string>();
  const scanned = new Set<string>();
  let rowsRead = 0;
  const visit = (node: Node) => {
    const table = node['Relation Name'];
    if (node['Index Name']) indexes.add(node['Index Name']);
    if (table && node['Node Type'] === 'Seq Scan') scanned.add(table);
    if (table)
      rowsRead += node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    node.Plans?.forEach(visit);
  };
  visit(top);
  return { indexes: [...indexes], scannedTables: [...scanned], rows: rowsRead };
}
