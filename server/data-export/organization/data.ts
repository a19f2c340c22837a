import { ICON_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrganizationFile } from '#contract/text/data-export.ts';
import type { MemberId, OrgId } from '#contract/wire.ts';
import {
  activityColumns,
  activityNames,
  activityWithheld,
  nameIn,
  reasons,
  type Sources,
} from '#server/data-export/sources/rules.ts';
import type { Db } from '#server/db/connect.ts';
import { invitedId } from '#server/stand-in.ts';

const { SECRET, COUNTED, DERIVED, TECHNICAL, UNDER_WAY, SITE } = reasons;
const PERSONS = 'belongs to a person, over whose account the organization has no authority';

/** Every table with rows of an organization. */
export const organizationSources: Sources<OrganizationFile> = {
  organizations: {
    file: 'organization',
    of: 'id',
    columns: [
      'id',
      'name',
      'type',
      'url_name',
      'employee_count',
      'description',
      'website',
      'application_name',
      'second_step_rule',
      'second_step_from',
      'created_by',
      'created_at',
    ],
  },
  images: {
    file: 'icons',
    of: 'org_id',
    key: ['file_id'],
    columns: ['icon_type', 'media_type', 'uploaded_by', 'created_at', 'shown_at'],
    withheld: { file_id: TECHNICAL },
    names: { icon_type: nameIn(ICON_TYPE) },
  },
  roles: {
    file: 'roles',
    of: 'org_id',
    columns: ['id', 'name', 'kind', 'is_admin', 'created_by', 'created_at'],
    withheld: { name_key: DERIVED },
  },
  role_rights: {
    file: 'rights',
    of: 'org_id',
    key: ['role_id', 'service', 'module', 'action'],
    columns: ['role_id', 'service', 'module', 'action'],
  },
  memberships: {
    file: 'members',
    of: 'org_id',
    columns: [
      'id',
      'user_id',
      'role_id',
      'status',
      'first_name',
      'last_name',
      'designation',
      'email_key',
      'invited_by',
      'invitation_expires_at',
      'created_at',
    ],
    withheld: { name_key: DERIVED, last_key: DERIVED, is_default: PERSONS, paused_at: PERSONS },
    names: { status: nameIn(MEMBER_STATUS) },
    // The id of an invited person would reveal whether they have an account.
    shown: ({ email_key: email, ...row }) => ({
      ...row,
      email,
      user_id: row['status'] === MEMBER_STATUS.invited ? invitedId(row['id'] as MemberId) : row['user_id'],
    }),
  },
  applications: {
    file: 'applications',
    of: 'org_id',
    columns: [
      'id',
      'client_id',
      'name',
      'description',
      'kind',
      'is_first_party',
      'start_url',
      'redirect_urls',
      'signed_out_urls',
      'sign_out_url',
      'signing_algorithm',
      'public_keys',
      'apis',
      'requires_par',
      'requires_dpop',
      'requires_pkce',
      'is_for_everyone',
      'members_of',
      'paused_at',
      'created_by',
      'created_at',
      'last_used_at',
    ],
  },
  application_secrets: {
    file: 'application-secrets',
    of: 'application_id',
    through: 'applications',
    columns: ['application_id', 'created_at', 'ends_at'],
    withheld: { id: COUNTED, secret_hash: SECRET },
  },
  application_icons: {
    file: 'application-icons',
    of: 'application_id',
    through: 'applications',
    key: ['application_id'],
    columns: ['application_id', 'media_type', 'created_at'],
    withheld: { file_id: TECHNICAL },
  },
  application_roles: {
    file: 'application-roles',
    of: 'application_id',
    through: 'applications',
    key: ['application_id', 'role_id'],
    columns: ['application_id', 'role_id'],
  },
  webhooks: {
    file: 'webhooks',
    of: 'org_id',
    columns: [
      'id',
      'url',
      'description',
      'events',
      'former_secret_ends_at',
      'paused_at',
      'switched_off_at',
      'failing_since',
      'created_by',
      'created_at',
    ],
    withheld: { sealed_secret: SECRET, former_sealed_secret: SECRET },
  },
  webhook_deliveries: {
    file: 'webhook-deliveries',
    of: 'webhook_id',
    through: 'webhooks',
    key: ['webhook_id', 'id'],
    columns: [
      'webhook_id',
      'message_id',
      'event',
      'payload',
      'status',
      'created_at',
      'next_try_at',
      'attempts',
      'first_failed_at',
      'tried_at',
      'status_code',
      'duration_ms',
      'response',
      'error',
    ],
    withheld: { id: COUNTED, subject: DERIVED, lane: DERIVED, job_id: TECHNICAL },
  },
  activity: {
    file: 'activity',
    of: 'org_id',
    columns: [...activityColumns, 'user_id'],
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

/** The tables without rows for an organization, each with the reason. */
export const exemptForOrganizations: Readonly<Record<string, string>> = {
  users: PERSONS,
  pending_emails: PERSONS,
  pictures: PERSONS,
  passwords: PERSONS,
  passkeys: PERSONS,
  passkey_owners: PERSONS,
  authenticator_apps: PERSONS,
  recovery_codes: PERSONS,
  remembered_browsers: PERSONS,
  social_identities: PERSONS,
  sessions: PERSONS,
  known_devices: PERSONS,
  restrictions: PERSONS,
  account_deletions: PERSONS,
  application_grants: PERSONS,
  application_sign_ins: PERSONS,
  subjects: PERSONS,
  email_preferences: PERSONS,
  notifications: PERSONS,
  one_time_tokens: 'a secret; the invitation that it opens is among the members',
  data_exports: 'this archive itself',
  jobs: 'work under way, whose results are exported',
  challenges: UNDER_WAY,
  redirect_codes: UNDER_WAY,
  social_visits: UNDER_WAY,
  passkey_challenges: UNDER_WAY,
  provider_records: UNDER_WAY,
  member_search: DERIVED,
  member_counts: DERIVED,
  activity_chains: SITE,
  activity_anchors: SITE,
  kept_url_names: 'hashes of names that belonged to erased organizations',
  rate_limits: 'hashes with counters, for a day at most',
  installation: SITE,
  signing_keys: SITE,
  job_turns: SITE,
  migrations: SITE,
};

/** The icons that are shown: the organization's, and those of its applications. */
export async function listIconFiles(database: Db, orgId: OrgId) {
  const icons = await database
    .selectFrom('images')
    .select(['file_id as fileId', 'media_type as mediaType', 'icon_type as type'])
    .where('org_id', '=', orgId)
    .where('shown_at', 'is not', null)
    .execute();
  const ofApplications = await database
    .selectFrom('application_icons')
    .innerJoin('applications', 'applications.id', 'application_id')
    .select(['file_id as fileId', 'media_type as mediaType', 'application_id as id'])
    .where('org_id', '=', orgId)
    .execute();
  const types = nameIn(ICON_TYPE);
  return [
    ...icons.map(({ type, ...icon }) => ({ ...icon, name: `icon-${types[type]}` })),
    ...ofApplications.map(({ id, ...icon }) => ({ ...icon, name: `application-icon-${id}` })),
  ];
}
