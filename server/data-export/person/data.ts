import { NOTIFICATION_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { PersonFile } from '#contract/text/data-export.ts';
import type { UserId } from '#contract/wire.ts';
import {
  activityColumns,
  activityNames,
  activityWithheld,
  nameIn,
  reasons,
  type Sources,
} from '#server/data-export/sources/rules.ts';
import type { Db } from '#server/db/connect.ts';

const { SECRET, COUNTED, DERIVED, TECHNICAL, UNDER_WAY, SITE } = reasons;
const ANOTHERS = 'another person';

/** Every table with rows about a person. A row of `activity` has those of `activity_origins` in it. */
export const personSources: Sources<PersonFile> = {
  users: {
    file: 'profile',
    of: 'id',
    columns: [
      'id',
      'first_name',
      'last_name',
      'designation',
      'email',
      'confirmed_at',
      'contact_number',
      'phone_e164',
      'country',
      'time_zone',
      'mfa_enabled',
      'wrong_codes',
      'passkey_offer_declined_at',
      'created_at',
    ],
  },
  pending_emails: {
    file: 'new-address',
    of: 'user_id',
    key: ['user_id'],
    columns: ['email', 'created_at', 'mailed_at'],
  },
  pictures: {
    file: 'picture',
    of: 'user_id',
    key: ['user_id'],
    columns: ['media_type', 'created_at'],
    withheld: { file_id: TECHNICAL },
  },
  passwords: {
    file: 'password',
    of: 'user_id',
    key: ['user_id'],
    columns: ['changed_at'],
    withheld: { sealed_phc: SECRET },
  },
  passkeys: {
    file: 'passkeys',
    of: 'user_id',
    key: ['credential_id'],
    columns: ['name', 'aaguid', 'transports', 'is_synced', 'sign_count', 'created_at', 'last_used_at'],
    withheld: { credential_id: TECHNICAL, public_key: TECHNICAL },
  },
  authenticator_apps: {
    file: 'authenticator-app',
    of: 'user_id',
    key: ['user_id'],
    columns: ['created_at', 'last_used_at'],
    withheld: { secret: SECRET, last_step: TECHNICAL },
  },
  recovery_codes: {
    file: 'recovery-codes',
    of: 'user_id',
    key: ['code_hash'],
    columns: ['created_at', 'used_at'],
    withheld: { code_hash: SECRET },
  },
  remembered_browsers: {
    file: 'remembered-browsers',
    of: 'user_id',
    columns: ['second_step', 'ip_address', 'user_agent', 'location', 'created_at', 'expires_at'],
    withheld: { id: COUNTED, device_hash: SECRET },
  },
  social_identities: {
    file: 'sign-in-services',
    of: 'user_id',
    key: ['provider', 'subject'],
    columns: ['provider', 'subject', 'created_at'],
  },
  sessions: {
    file: 'sessions',
    of: 'user_id',
    columns: [
      'id',
      'created_at',
      'last_seen_at',
      'authenticated_at',
      'ip_address',
      'user_agent',
      'location',
      'methods',
      'second_step',
    ],
    withheld: { token_hash: SECRET, device_hash: SECRET },
  },
  known_devices: {
    file: 'known-devices',
    of: 'user_id',
    key: ['token_hash'],
    columns: ['last_seen_at'],
    withheld: { token_hash: SECRET },
  },
  restrictions: {
    file: 'restrictions',
    of: 'user_id',
    columns: ['cause', 'created_at', 'ends_at', 'lifted_at'],
    withheld: { id: COUNTED },
  },
  one_time_tokens: {
    file: 'mailed-links',
    of: 'user_id',
    columns: ['purpose', 'subject', 'tries', 'created_at', 'expires_at', 'proven_at', 'used_at', 'member_id'],
    withheld: { id: COUNTED, token_hash: SECRET, asked_from: ANOTHERS },
  },
  memberships: {
    file: 'organizations',
    of: 'user_id',
    columns: [
      'id',
      'org_id',
      'role_id',
      'status',
      'first_name',
      'last_name',
      'designation',
      'is_default',
      'invitation_expires_at',
      'paused_at',
      'created_at',
    ],
    withheld: { invited_by: ANOTHERS, name_key: DERIVED, last_key: DERIVED, email_key: DERIVED },
    names: { status: nameIn(MEMBER_STATUS) },
  },
  application_grants: {
    file: 'connected-applications',
    of: 'user_id',
    ofOrganizations: true,
    columns: [
      'application_id',
      'org_id',
      'scopes',
      'is_remembered',
      'consented_at',
      'created_at',
      'last_used_at',
    ],
    withheld: { id: COUNTED },
  },
  application_sign_ins: {
    file: 'application-sign-ins',
    of: 'user_id',
    ofOrganizations: true,
    key: ['session_id', 'application_id'],
    columns: ['application_id', 'org_id', 'session_id', 'subject', 'signed_in_at'],
    withheld: { sid: SECRET },
  },
  subjects: { file: 'application-identity', of: 'user_id', key: ['user_id'], columns: ['subject'] },
  email_preferences: {
    file: 'mail-preferences',
    of: 'user_id',
    key: ['type'],
    columns: ['type', 'wanted'],
    names: { type: nameIn(NOTIFICATION_TYPE) },
  },
  notifications: {
    file: 'notifications',
    of: 'user_id',
    ofOrganizations: true,
    columns: ['kind', 'details', 'org_id', 'created_at', 'read_at'],
    withheld: { id: COUNTED, member_id: TECHNICAL, about_id: ANOTHERS },
  },
  activity: {
    file: 'activity',
    of: 'user_id',
    columns: [...activityColumns, 'org_id'],
    withheld: activityWithheld,
    names: activityNames,
  },
  activity_origins: {
    file: 'activity',
    of: 'user_id',
    columns: ['ip_address', 'browser', 'system', 'location'],
    withheld: { activity_id: COUNTED },
  },
};

const ORGANIZATIONS = 'belongs to an organization or the suite';

/** The tables without rows for a person, each with the reason. */
export const exemptForPeople: Readonly<Record<string, string>> = {
  account_deletions: 'nobody can sign in to an account that is going to be erased',
  data_exports: 'this archive itself',
  jobs: 'work under way, whose results are exported',
  challenges: UNDER_WAY,
  redirect_codes: UNDER_WAY,
  social_visits: UNDER_WAY,
  passkey_challenges: UNDER_WAY,
  provider_records: UNDER_WAY,
  passkey_owners: TECHNICAL,
  member_search: DERIVED,
  member_counts: DERIVED,
  organizations: ORGANIZATIONS,
  roles: ORGANIZATIONS,
  role_rights: ORGANIZATIONS,
  images: ORGANIZATIONS,
  applications: ORGANIZATIONS,
  application_secrets: ORGANIZATIONS,
  application_icons: ORGANIZATIONS,
  application_roles: ORGANIZATIONS,
  webhooks: ORGANIZATIONS,
  webhook_deliveries: ORGANIZATIONS,
  activity_chains: SITE,
  activity_anchors: SITE,
  kept_url_names: 'hashes of names that belonged to organizations',
  rate_limits: 'hashes with counters, for a day at most',
  installation: SITE,
  signing_keys: SITE,
  job_turns: SITE,
  migrations: SITE,
};

export const findPictureFile = (database: Db, userId: UserId) =>
  database
    .selectFrom('pictures')
    .select(['file_id as fileId', 'media_type as mediaType'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
