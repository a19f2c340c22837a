import { CompiledQuery, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { nameOf } from '#server/db/prepared.ts';
import type { Query } from '#server/testing/queries.ts';

/** How the database came to an answer. */
type Plan = {
  readonly indexes: readonly string[];
  /** Tables that were read from one end to the other. */
  readonly walked: readonly string[];
  /** How many rows of tables were looked at. */
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

/** The plan for these very values, as a statement without a name gets it; it is run, so it must only read. */
export async function planOf(database: Db, { text, values }: Query): Promise<Plan> {
  const query = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...values]);
  return read((await database.executeQuery<Explained>(query)).rows);
}

/** The plan for any values, as a prepared statement gets it once it has served five times. */
export const genericPlanOf = (database: Db, { text, values }: Query): Promise<Plan> =>
  database.connection().execute(async (one) => {
    const run = (script: string) => one.executeQuery<Explained>(CompiledQuery.raw(script));
    await run('set plan_cache_mode = force_generic_plan');
    try {
      await run(`prepare hot as ${text}`);
      const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
      return read((await run(`explain (analyze, format json) execute hot${given}`)).rows);
    } finally {
      await sql`deallocate hot`.execute(one);
      await sql`reset plan_cache_mode`.execute(one);
    }
  });

/** The plan by which it is answered once it has been asked some times: the one that is kept, where one is. */
export const keptPlanOf = (database: Db, query: Query): Promise<Plan> =>
  (nameOf(query.text) === undefined ? planOf : genericPlanOf)(database, query);

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

function read(rows: readonly Explained[]): Plan {
  const top = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!top) throw new Error('no plan');
  const indexes = new Set<string>();
  const walked = new Set<string>();
  let looked = 0;
  const visit = (node: Node) => {
    const table = node['Relation Name'];
    if (node['Index Name']) indexes.add(node['Index Name']);
    if (table && node['Node Type'] === 'Seq Scan') walked.add(table);
    if (table) looked += node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    node.Plans?.forEach(visit);
  };
  visit(top);
  return { indexes: [...indexes], walked: [...walked], rows: looked };
}
