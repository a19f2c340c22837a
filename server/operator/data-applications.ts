import type { ApplicationId } from '#contract/applications/registration.ts';
import type { SuiteApplication } from '#contract/applications/suite.ts';
import type { Db, Tx } from '#server/db/connect.ts';

const details = (database: Db) =>
  database
    .selectFrom('applications')
    .leftJoin('organizations', 'organizations.id', 'applications.org_id')
    .select(['applications.id', 'client_id', 'applications.name', 'applications.description', 'kind'])
    .select(['is_first_party', 'start_url', 'redirect_urls', 'signed_out_urls', 'sign_out_url'])
    .select(['signing_algorithm', 'public_keys', 'apis', 'requires_par', 'requires_dpop'])
    .select(['requires_pkce', 'members_of', 'paused_at'])
    .select(['applications.created_at', 'applications.last_used_at', 'organizations.name as organization'])
    .orderBy('applications.created_at')
    .orderBy('applications.id');

export const listApplications = (database: Db) => details(database).execute();
export type ApplicationRow = Awaited<ReturnType<typeof listApplications>>[number];

export const findApplications = (database: Db, words: string) =>
  details(database)
    .where((row) => row.or([row('client_id', '=', words), row('applications.name', '=', words)]))
    .execute();

export const lockApplication = (tx: Tx, id: ApplicationId) =>
  details(tx).where('applications.id', '=', id).forUpdate('applications').executeTakeFirst();

const columns = {
  name: 'name',
  description: 'description',
  kind: 'kind',
  isFirstParty: 'is_first_party',
  startUrl: 'start_url',
  redirectUrls: 'redirect_urls',
  signedOutUrls: 'signed_out_urls',
  signOutUrl: 'sign_out_url',
  algorithm: 'signing_algorithm',
  publicKeys: 'public_keys',
  apis: 'apis',
  requiresPar: 'requires_par',
  requiresDpop: 'requires_dpop',
  requiresPkce: 'requires_pkce',
  membersOf: 'members_of',
} as const satisfies Record<keyof SuiteApplication, keyof ApplicationRow>;
type Setting = keyof typeof columns;
type SuiteRow = Pick<ApplicationRow, (typeof columns)[Setting]>;
const eachSetting = (change: (setting: Setting, column: keyof SuiteRow) => readonly [string, unknown]) =>
  Object.fromEntries((Object.keys(columns) as Setting[]).map((setting) => change(setting, columns[setting])));

/** An empty address is stored as null. */
export const suiteRow = (settings: SuiteApplication) =>
  eachSetting((setting, column) => [
    column,
    settings[setting] === '' && column.endsWith('_url') ? null : settings[setting],
  ]) as SuiteRow;
export const settingsOf = (row: ApplicationRow) =>
  eachSetting((setting, column) => [
    setting,
    column.endsWith('_url') ? (row[column] ?? '') : row[column],
  ]) as SuiteApplication;
