// The reasons why a column or table is not exported.
export const SECRET = 'a secret, its hash or its seal';
export const COUNTED = 'counts what everybody does on the site';
export const DERIVED = 'derived from other columns';
export const TECHNICAL = 'tells nothing about its subject';
export const ANOTHERS = 'another person';
export const UNDER_WAY = 'under way for minutes, and holds secrets';
export const SITE = 'about the site';

export type Row = Readonly<Record<string, unknown>>;

/** The exported rows of one table about a person or an organization; `data-tables.ts` says what each part means. */
export type Source = {
  readonly file: string;
  readonly of: string;
  readonly through?: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly ofOrganizations?: true;
  readonly names?: Readonly<Record<string, Readonly<Record<number, string>>>>;
  readonly shown?: (row: Row) => Row;
};
export type Sources = Readonly<Record<string, Source>>;

export const nameIn = (catalogue: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(catalogue).map(([name, code]) => [code, name]));

export const readable = (
  row: Row,
  { names = {}, shown = (whole) => whole }: Pick<Source, 'names' | 'shown'>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shown(row)).map(([column, value]) => [column, names[column]?.[value as number] ?? value]),
  );
