import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';

/** Why a table or a column is not exported. */
export const reasons = {
  SECRET: 'a secret, its hash or its seal',
  COUNTED: 'counts what everybody does on the site',
  DERIVED: 'derived from other columns',
  TECHNICAL: 'tells nothing about its subject',
  UNDER_WAY: 'under way for minutes, and holds secrets',
  SITE: 'about the site',
} as const;

type Row = Readonly<Record<string, unknown>>;

/** The rows of one table about a person or an organization. */
export type Source<File extends string = string> = {
  readonly file: File;
  /** The column with the id of the subject, or of a row of `through`. */
  readonly of: string;
  /** The table whose rows belong to the subject by their `org_id`. */
  readonly through?: string;
  /** The columns that identify a row; `id` if omitted. */
  readonly key?: readonly string[];
  /** Rows with an `org_id` are exported for the organizations that the archive covers only. */
  readonly ofOrganizations?: true;
  readonly columns: readonly string[];
  readonly withheld?: Readonly<Record<string, string>>;
  /** The names of codes, by column. */
  readonly names?: Readonly<Record<string, Readonly<Record<number, string>>>>;
  /** A row as its readers may see it. */
  readonly shown?: (row: Row) => Row;
};
export type Sources<File extends string = string> = Readonly<Record<string, Source<File>>>;

export const nameIn = (catalogue: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(catalogue).map(([name, code]) => [code, name]));

/** The columns of the log, which both kinds of subject have. */
export const activityColumns = [
  'created_at',
  'module',
  'activity_type',
  'action',
  'record_id',
  'information',
] as const;
export const activityWithheld = {
  id: 'stands in the file as an opaque id',
  chain: reasons.DERIVED,
  position: reasons.DERIVED,
  information_mac: reasons.SECRET,
  mac: reasons.SECRET,
  key_id: reasons.TECHNICAL,
} as const;
export const activityNames = {
  module: nameIn(MODULE),
  activity_type: nameIn(ACTIVITY_TYPE),
  action: nameIn(ACTION),
} as const;

/** A row as people read it: codes by their names. */
export const readable = (
  row: Row,
  { names = {}, shown = (whole) => whole }: Pick<Source, 'names' | 'shown'>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shown(row)).map(([column, value]) => [column, names[column]?.[value as number] ?? value]),
  );
