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

export const suiteRow = (settings: SuiteApplication) => ({
  name: settings.name,
  description: settings.description,
  kind: settings.kind,
  is_first_party: settings.isFirstParty,
  start_url: settings.startUrl || null,
  redirect_urls: settings.redirectUrls,
  signed_out_urls: settings.signedOutUrls,
  sign_out_url: settings.signOutUrl || null,
  signing_algorithm: settings.algorithm,
  public_keys: settings.publicKeys,
  apis: settings.apis,
  requires_par: settings.requiresPar,
  requires_dpop: settings.requiresDpop,
  requires_pkce: settings.requiresPkce,
  members_of: settings.membersOf,
});

export const settingsOf = (row: ApplicationRow): SuiteApplication => ({
  name: row.name,
  description: row.description,
  kind: row.kind,
  isFirstParty: row.is_first_party,
  startUrl: row.start_url ?? '',
  redirectUrls: row.redirect_urls,
  signedOutUrls: row.signed_out_urls,
  signOutUrl: row.sign_out_url ?? '',
  algorithm: row.signing_algorithm,
  publicKeys: row.public_keys,
  apis: row.apis,
  requiresPar: row.requires_par,
  requiresDpop: row.requires_dpop,
  requiresPkce: row.requires_pkce,
  membersOf: row.members_of,
});
