import type { CompiledQuery } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** Stands in a query for a value that is known when it is asked. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) });

/** What a builder of queries and a `sql` template have in common. */
type Query<Row> = { compile(sql: Db): CompiledQuery<Row> };

/**
 * A query that is asked all the time: built and put into words once for each form it has, and asked with new values from
 * then on. `build` sees a slot for each value, so it decides by the form alone; a list is one value, as in `= any(…)`.
 */
export function prepared<Values extends object, Row, Form extends string = ''>(
  build: (sql: Db, values: Values, form: Form) => Query<Row>,
) {
  const known = new Map<string, CompiledQuery<Row>>();
  return async (sql: Db, values: Values, form: Form = '' as Form): Promise<Row[]> => {
    const words = known.get(form) ?? build(sql, slots as Values, form).compile(sql);
    known.set(form, words);
    const valueOf = (given: unknown) => (given instanceof Slot ? values[given.name as keyof Values] : given);
    const { rows } = await sql.executeQuery<Row>({ ...words, parameters: words.parameters.map(valueOf) });
    return rows;
  };
}
