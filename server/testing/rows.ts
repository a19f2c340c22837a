import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { TestApp } from './start-app.ts';

// Rows as tests read and change them past the calls. Ids are plain numbers here.

type Plain<V> = V extends number ? number : V;
type Plains<Row> = { readonly [C in keyof Row]: Plain<Row[C]> };
type Column<T extends keyof Tables> = keyof Selectable<Tables[T]> & string;
type Where<T extends keyof Tables> = Partial<Plains<Selectable<Tables[T]>>>;
type Of = { readonly deps: Pick<TestApp['deps'], 'sql'> };

const queryOf = ({ deps: { sql } }: Of, table: string, where: object) => {
  let query = sql.selectFrom(table as 'users');
  for (const [column, value] of Object.entries(where))
    query = query.where(column as 'email', value === null ? 'is' : '=', value as never);
  return query;
};

/** These columns of the rows with these values. */
export const listRows = <T extends keyof Tables, C extends Column<T>>(
  app: Of,
  table: T,
  columns: readonly C[],
  where: Where<T> = {},
  orderBy?: Column<T>,
) => {
  const query = queryOf(app, table, where).select(columns as never);
  const rows: Promise<unknown[]> = (orderBy ? query.orderBy(orderBy as 'id') : query).execute();
  return rows as Promise<Pick<Selectable<Tables[T]>, C>[]>;
};

/** The same of the only row, which must be there. */
export async function getRow<T extends keyof Tables, C extends Column<T>>(
  app: Of,
  table: T,
  columns: readonly C[],
  where: Where<T>,
): Promise<Pick<Selectable<Tables[T]>, C>> {
  const [row] = await listRows(app, table, columns, where);
  if (!row) throw new Error(`no such row in ${table}`);
  return row;
}

export async function updateRows<T extends keyof Tables>(
  app: Of,
  table: T,
  where: Where<T>,
  change: Partial<Plains<Updateable<Tables[T]>>>,
): Promise<void> {
  let query = app.deps.sql.updateTable(table as 'users').set(change as object);
  for (const [column, value] of Object.entries(where))
    query = query.where(column as 'email', '=', value as never);
  await query.execute();
}

export async function deleteRows<T extends keyof Tables>(app: Of, table: T, where: Where<T>): Promise<void> {
  let query = app.deps.sql.deleteFrom(table as 'users');
  for (const [column, value] of Object.entries(where))
    query = query.where(column as 'email', '=', value as never);
  await query.execute();
}

export async function insertRow<T extends keyof Tables>(
  app: Of,
  table: T,
  row: Plains<Insertable<Tables[T]>>,
): Promise<void> {
  await app.deps.sql
    .insertInto(table as 'users')
    .values(row as object as never)
    .execute();
}
