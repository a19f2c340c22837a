import { CompiledQuery, type Expression, sql } from 'kysely';
import { WIRE_NAME } from '#contract/limits.ts';
import type { Db } from '#server/db/tables.ts';
import { batchPerTick } from '#server/batch-per-tick.ts';
import { sha256 } from '#server/keys.ts';

/** Stands in a query for a value that each call fills in: the value `name` of the `nth` of the joined calls. */
class Slot {
  readonly nth: number;
  readonly name: string;
  constructor(nth: number, name: string) {
    this.nth = nth;
    this.name = name;
  }
  /** A query is built once for all values. */
  [Symbol.toPrimitive](): never {
    throw new Error(`decide by the form, not by "${this.name}"`);
  }
  valueOf = this[Symbol.toPrimitive];
  toJSON = this[Symbol.toPrimitive];
}
const slotsOf = <Values>(nth: number) =>
  new Proxy({}, { get: (_, name) => new Slot(nth, String(name)) }) as Values;

/** The common part of a query builder and a `sql` template. */
type Query<Row> = { compile(sql: Db): CompiledQuery<Row> };

/** Keeps only the SQL text, because the tree it was built from takes many times the memory. */
function inWords<Row>(query: Query<Row>, database: Db): CompiledQuery<Row> {
  const { sql: words, parameters } = query.compile(database);
  return CompiledQuery.raw(words, [...parameters]);
}

/** A query with these values in its slots. */
const filled = <Row>(words: CompiledQuery<Row>, values: readonly object[]): CompiledQuery<Row> => ({
  ...words,
  parameters: words.parameters.map((given) =>
    given instanceof Slot ? (values[given.nth] as Record<string, unknown>)[given.name] : given,
  ),
});

const names = new Map<string, string>();

/** The same text has the same name in every process and release. */
const nameFor = (words: string) => `${WIRE_NAME}_${sha256(words).toString('hex').slice(0, 24)}`;

/** The name of a prepared statement with this text; undefined for a query that is planned each time. */
export const statementName = (words: string): string | undefined => names.get(words);

/**
 * Compiled once per form. `build` sees only a slot for each value, so it decides by the form alone; a list is
 * one value, as in `= any(…)`. PostgreSQL plans it once per connection, or for its own values with `each
 * time`. List columns explicitly: a migration would change the row type of `select *` and break cached plans.
 */
export function prepared<Values extends object, Row, Form extends string = ''>(
  build: (sql: Db, values: Values, form: Form) => Query<Row>,
  planned: 'once' | 'each time' = 'once',
) {
  const compiled = new Map<string, CompiledQuery<Row>>();
  const wordsFor = (database: Db, form: Form) => {
    const words = inWords(build(database, slotsOf(0), form), database);
    if (planned === 'once') names.set(words.sql, nameFor(words.sql));
    return words;
  };
  return async (database: Db, values: Values, form: Form = '' as Form): Promise<Row[]> => {
    const words = compiled.get(form) ?? wordsFor(database, form);
    compiled.set(form, words);
    return (await database.executeQuery<Row>(filled(words, [values]))).rows;
  };
}

/**
 * Hides a value from the planner. For a list of one or a recent time, the plan for that value can look much
 * cheaper than the generic plan; then PostgreSQL would plan again each time.
 */
export const hidden = <Value>(value: Value, type: 'bigint[]' | 'text[]' | 'timestamptz') => {
  const cast = sql.raw(type);
  return sql<Value>`(select ${value}::${cast})::${cast}`;
};

/** With more, the first would wait noticeably for the last while other connections lie idle. */
const TOGETHER_MAX = 8;

/**
 * Like `prepared`, for fast queries that find one row. Combines all calls of one form in one turn of the
 * event loop into one statement, because each statement wakes a process of the database. Each part is planned
 * for its own values. The calls wait for each other and fail together.
 */
export function preparedTogether<
  Values extends object,
  Row extends object & { readonly nth?: never },
  Form extends string = '',
>(database: Db, build: (sql: Db, values: Values, form: Form) => Expression<Row>) {
  type Numbered = { readonly nth: number };
  const askerOf = (form: Form) => {
    const compiled = new Map<number, CompiledQuery<Numbered>>();
    const wordsFor = (count: number) => {
      const parts = Array.from(
        { length: count },
        (_, nth) =>
          sql`select ${sql.lit(nth)}::int as nth, one.* from (${build(database, slotsOf(nth), form)}) as one`,
      );
      return inWords(sql<Numbered>`${sql.join(parts, sql` union all `)}`, database);
    };
    return batchPerTick(async (asked: readonly Values[]) => {
      const words = compiled.get(asked.length) ?? wordsFor(asked.length);
      compiled.set(asked.length, words);
      const { rows } = await database.executeQuery(filled(words, asked));
      if (rows.length > asked.length) throw new Error('more than a row was found for one who asked');
      return new Map(rows.map(({ nth, ...row }) => [asked[nth] as Values, row as unknown as Row]));
    }, TOGETHER_MAX);
  };
  const askers = new Map<Form, ReturnType<typeof askerOf>>();
  return (values: Values, form: Form = '' as Form): Promise<Row | undefined> => {
    const ask = askers.get(form) ?? askerOf(form);
    askers.set(form, ask);
    return ask(values);
  };
}
