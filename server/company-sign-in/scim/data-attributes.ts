import type { Tables } from '#server/db/tables.ts';

// Each text of a user that the portal keeps is one row here: read from calls, written into answers, declared in the
// schema, filtered by and stored. All else is accepted and dropped: passwords, roles, other schemas.

type Text = {
  /** Its path in a resource, with a dot before a part. */
  readonly path: string;
  readonly column: keyof Tables['scim_users'];
  readonly about: string;
  /** A long one is cut, because it names nothing that a directory looks for. */
  readonly isCut?: true;
  /** The schema says this differently. */
  readonly schema?: Readonly<Record<string, unknown>>;
};
export const userTexts = {
  userName: {
    path: 'userName',
    column: 'user_name',
    about: 'The name of the user in the directory',
    schema: { required: true, uniqueness: 'server' },
  },
  externalId: {
    path: 'externalId',
    column: 'external_id',
    about: 'The id in the directory, which names the person',
    schema: { caseExact: true, uniqueness: 'server' },
  },
  formattedName: { path: 'name.formatted', column: 'formatted_name', about: 'The whole name', isCut: true },
  givenName: { path: 'name.givenName', column: 'given_name', about: 'The first name', isCut: true },
  familyName: { path: 'name.familyName', column: 'family_name', about: 'The last name', isCut: true },
  displayName: {
    path: 'displayName',
    column: 'display_name',
    about: 'The name of a person without first and last name',
    isCut: true,
  },
  title: { path: 'title', column: 'title', about: 'The job title', isCut: true },
} as const satisfies Readonly<Record<string, Text>>;

export type UserText = keyof typeof userTexts;
export type UserTexts = Readonly<Record<UserText, string>>;
export const listTexts = () => Object.entries<Text>(userTexts) as [UserText, Text][];

type Columns = typeof userTexts;
type Selected = { [F in UserText]: `${Columns[F]['column']} as ${F}` }[UserText];
export const textColumns = listTexts().map(([field, { column }]) => `${column} as ${field}`) as Selected[];

type TextRow = { [F in UserText as Columns[F]['column']]: string };
export const textRow = (user: UserTexts) =>
  Object.fromEntries(listTexts().map(([field, { column }]) => [column, user[field]])) as TextRow;
