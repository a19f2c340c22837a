import type { organizationFilesText } from '#words/organization-files.ts';
import type { personFilesText } from '#words/person-files.ts';
import type { Row } from './rules.ts';

/** How the rows of a table are exported to a person or an organization. */
export type Part<File> = {
  readonly file: File;
  /** The column with the id of the subject: `user_id` or `org_id` if omitted. With `through`, the id of a row there. */
  readonly of?: string;
  /** The table whose rows belong to the organization by their `org_id`. */
  readonly through?: string;
  /** Columns that this subject alone gets. */
  readonly also?: string;
  /** Rows with an `org_id` are exported for the organizations that the archive covers only. */
  readonly ofOrganizations?: true;
  /** A row as its readers may see it. */
  readonly shown?: (row: Row) => Row;
};
export type Table = {
  readonly columns?: string;
  /** All other columns, each with the reason. */
  readonly withheld?: Readonly<Record<string, string>>;
  /** The columns that identify a row; `id` if omitted. */
  readonly key?: string;
  /** The names of codes, by column. */
  readonly names?: Readonly<Record<string, Readonly<Record<number, string>>>>;
  /** Without a part, the subject has no rows there, or no authority over them. */
  readonly person?: Part<keyof typeof personFilesText>;
  readonly organization?: Part<keyof typeof organizationFilesText>;
};
