import { CompiledQuery, type Expression, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { gather } from '#server/gather.ts';
import { sha256 } from '#server/keys.ts';

/** Stands in a query for a value that is known when it is asked: the one so called, of the nth that is asked for at once. */
class Slot {
  readonly nth: number;
  readonly name: string;
  constructor(nth: number, name: string) {
    this.nth = nth;
    this.name = name;
  }
}
const slotsOf = <Values>(nth: number) =>
  new Proxy({}, { get: (_, name) => new Slot(nth, String(name)) }) as Values;

/** What a builder of queries and a `sql` template have in common. */
type Query<Row> = { compile(sql: Db): CompiledQuery<Row> };

/** Words alone: what a query was built of takes many times as much memory, and is not asked again. */
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

/** One name for the same words in every process and release. */
const nameFor = (words: string) => `portico_${sha256(words).toString('hex').slice(0, 24)}`;

/** Under which name PostgreSQL is to keep these words for as long as a connection lasts; undefined for what it plans each time. */
export const nameOf = (words: string): string | undefined => names.get(words);

/**
 * A query that is asked all the time: built and put into words once for each form it has, and asked with new values from
 * then on. `build` sees a slot for each value, so it decides by the form alone; a list is one value, as in `= any(…)`.
 * PostgreSQL plans it once a connection, too, but for what is planned for its own values `each time`. So it names the columns
 * of tables that it gives: once a newer release has added one, all of them would be others than were planned.
 */
export function prepared<Values extends object, Row, Form extends string = ''>(
  build: (sql: Db, values: Values, form: Form) => Query<Row>,
  planned: 'once' | 'each time' = 'once',
) {
  const known = new Map<string, CompiledQuery<Row>>();
  const wordsFor = (database: Db, form: Form) => {
    const words = inWords(build(database, slotsOf(0), form), database);
    if (planned === 'once') names.set(words.sql, nameFor(words.sql));
    return words;
  };
  return async (database: Db, values: Values, form: Form = '' as Form): Promise<Row[]> => {
    const words = known.get(form) ?? wordsFor(database, form);
    known.set(form, words);
    return (await database.executeQuery<Row>(filled(words, [values]))).rows;
  };
}

/**
 * A value hidden from the planner. Where the plan for one value looks much cheaper than that for any, as for a list of one or
 * for a time after which there is little, PostgreSQL would not keep the latter, and plan anew each time.
 */
export const hidden = <Value>(value: Value, type: 'bigint[]' | 'text[]' | 'timestamptz') => {
  const cast = sql.raw(type);
  return sql<Value>`(select ${value}::${cast})::${cast}`;
};

/** Beyond so many the first would wait noticeably for the last while other connections lie idle. */
const TOGETHER_MAX = 8;

/**
 * As `prepared`, for what finds one row and never takes long: what is asked in one form in one turn of the event loop is one
 * statement, in which each part is planned for its own values, since each statement wakes a process of the database. They
 * wait for each other, and fail together.
 */
export function preparedTogether<
  Values extends object,
  Row extends object & { readonly nth?: never },
  Form extends string = '',
>(database: Db, build: (sql: Db, values: Values, form: Form) => Expression<Row>) {
  type Numbered = { readonly nth: number };
  const askerOf = (form: Form) => {
    const known = new Map<number, CompiledQuery<Numbered>>();
    const wordsFor = (count: number) => {
      const parts = Array.from(
        { length: count },
        (_, nth) =>
          sql`select ${sql.lit(nth)}::int as nth, one.* from (${build(database, slotsOf(nth), form)}) as one`,
      );
      return inWords(sql<Numbered>`${sql.join(parts, sql` union all `)}`, database);
    };
    return gather(async (asked: readonly Values[]) => {
      const words = known.get(asked.length) ?? wordsFor(asked.length);
      known.set(asked.length, words);
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
