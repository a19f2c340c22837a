import type { ApplicationId } from '#contract/applications/registration.ts';
import type { InputOf } from '#contract/operator/act.ts';
import type { acts } from '#contract/operator/acts.ts';
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

/** Without their values, which nobody can read. */
export const listSecrets = (database: Db, id: ApplicationId, now: Date) =>
  database
    .selectFrom('application_secrets')
    .select(['created_at', 'ends_at'])
    .where('application_id', '=', id)
    .where((row) => row.or([row('ends_at', 'is', null), row('ends_at', '>', now)]))
    .orderBy('id')
    .execute();

/** The column of each setting, and its option. */
const namesOf = {
  name: ['name', 'name'],
  description: ['description', 'description'],
  kind: ['kind', 'kind'],
  isFirstParty: ['is_first_party', 'first-party'],
  startUrl: ['start_url', 'start'],
  redirectUrls: ['redirect_urls', 'redirect'],
  signedOutUrls: ['signed_out_urls', 'signed-out'],
  signOutUrl: ['sign_out_url', 'logout-tokens'],
  algorithm: ['signing_algorithm', 'algorithm'],
  publicKeys: ['public_keys', 'public-keys'],
  apis: ['apis', 'api'],
  requiresPar: ['requires_par', 'par'],
  requiresDpop: ['requires_dpop', 'dpop'],
  requiresPkce: ['requires_pkce', 'pkce'],
  membersOf: ['members_of', 'members-of'],
} as const satisfies Record<
  keyof SuiteApplication,
  readonly [keyof ApplicationRow, keyof InputOf<(typeof acts)['applications add']>]
>;
type Setting = keyof typeof namesOf;
type SuiteRow = Pick<ApplicationRow, (typeof namesOf)[Setting][0]>;
export const settingNames = Object.keys(namesOf) as Setting[];
export const optionOf = (setting: Setting) => namesOf[setting][1];
const eachSetting = (change: (setting: Setting, column: keyof SuiteRow) => readonly [string, unknown]) =>
  Object.fromEntries(settingNames.map((setting) => change(setting, namesOf[setting][0])));

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
