import { CompiledQuery, type Expression, sql } from 'kysely';
import { WIRE_NAME } from '#contract/limits.ts';
import type { Db } from './tables.ts';
import { batchPerTick } from '#server/batch-per-tick.ts';
import { sha256 } from '#server/keys.ts';

/** The placeholder in a compiled query for the value `name` of the `nth` call. */
class Slot {
  readonly nth: number;
  readonly name: string;
  constructor(nth: number, name: string) {
    this.nth = nth;
    this.name = name;
  }
  /** A builder must not read a value, because the query is built once for all values. */
  [Symbol.toPrimitive](): never {
    throw new Error(`decide by the form, not by "${this.name}"`);
  }
  valueOf = this[Symbol.toPrimitive];
  toJSON = this[Symbol.toPrimitive];
}
/** `valueNames` are the values that a builder finds when it spreads them or inserts them as a row. */
const slotsOf = <Values>(nth: number, valueNames: readonly string[] = []) =>
  new Proxy(
    {},
    {
      get: (_, name) => new Slot(nth, String(name)),
      ownKeys: () => valueNames,
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  ) as Values;

type Query<Row> = { compile(sql: Db): CompiledQuery<Row> };

/** Keeps only the SQL text, because its syntax tree takes many times the memory. */
function compileText<Row>(query: Query<Row>, database: Db): CompiledQuery<Row> {
  const { sql: text, parameters } = query.compile(database);
  return CompiledQuery.raw(text, [...parameters]);
}

const withValues = <Row>(query: CompiledQuery<Row>, values: readonly object[]): CompiledQuery<Row> => ({
  ...query,
  parameters: query.parameters.map((parameter) =>
    parameter instanceof Slot
      ? (values[parameter.nth] as Record<string, unknown>)[parameter.name]
      : parameter,
  ),
});

const names = new Map<string, string>();

/** A name that is the same in every process and release. */
const nameFor = (query: string) => `${WIRE_NAME}_${sha256(query).toString('hex').slice(0, 24)}`;

/** The name of a prepared statement with this text; undefined for a query that is planned each time. */
export const statementName = (query: string): string | undefined => names.get(query);

/** Compiled once per form and names of values. `build` sees only a slot for each value; a list is one value (`= any(…)`). See docs/style.md. */
export function prepared<Values extends object, Row, Form extends string = ''>(
  build: (sql: Db, values: Values, form: Form) => Query<Row>,
  planned: 'once' | 'each time' = 'once',
) {
  const compiled = new Map<string, CompiledQuery<Row>>();
  const compile = (database: Db, valueNames: readonly string[], form: Form) => {
    const query = compileText(build(database, slotsOf(0, valueNames), form), database);
    if (planned === 'once') names.set(query.sql, nameFor(query.sql));
    return query;
  };
  return async (database: Db, values: Values, form: Form = '' as Form): Promise<Row[]> => {
    const valueNames = Object.keys(values);
    const key = `${form} ${valueNames.join()}`;
    const query = compiled.get(key) ?? compile(database, valueNames, form);
    compiled.set(key, query);
    return (await database.executeQuery<Row>(withValues(query, [values]))).rows;
  };
}

/** For a list of one or a recent time, the plan for the value looks cheaper, and PostgreSQL would plan each time. */
export const hiddenValue = <Value>(
  value: Value,
  type: 'bigint[]' | 'boolean[]' | 'text[]' | 'timestamptz',
) => {
  const cast = sql.raw(type);
  return sql<Value>`(select ${value}::${cast})::${cast}`;
};

/** In a larger batch the first call would wait long for the last, while other connections are idle. */
const BATCH_MAX = 8;

/** Combines the calls of one form in a turn of the event loop, because each statement wakes a process of the database. */
export function preparedTogether<
  Values extends object,
  Row extends object & { readonly nth?: never },
  Form extends string = '',
>(database: Db, build: (sql: Db, values: Values, form: Form) => Expression<Row>) {
  type Numbered = { readonly nth: number };
  const batchOf = (form: Form) => {
    const compiled = new Map<number, CompiledQuery<Numbered>>();
    const compile = (count: number) => {
      const parts = Array.from(
        { length: count },
        (_, nth) =>
          sql`select ${sql.lit(nth)}::int as nth, part.* from (${build(database, slotsOf(nth), form)}) as part`,
      );
      return compileText(sql<Numbered>`${sql.join(parts, sql` union all `)}`, database);
    };
    return batchPerTick(async (calls: readonly Values[]) => {
      const query = compiled.get(calls.length) ?? compile(calls.length);
      compiled.set(calls.length, query);
      const { rows } = await database.executeQuery(withValues(query, calls));
      if (rows.length > calls.length) throw new Error('a call found more than one row');
      return new Map(rows.map(({ nth, ...row }) => [calls[nth] as Values, row as unknown as Row]));
    }, BATCH_MAX);
  };
  const batches = new Map<Form, ReturnType<typeof batchOf>>();
  return (values: Values, form: Form = '' as Form): Promise<Row | undefined> => {
    const batch = batches.get(form) ?? batchOf(form);
    batches.set(form, batch);
    return batch(values);
  };
}
