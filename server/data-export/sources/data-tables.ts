// The tables and columns that an archive holds, and those that stay out of it, with the reason.
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { ICON_TYPE, NOTIFICATION_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import type { MemberId } from '#contract/wire.ts';
import { ANOTHERS, COUNTED, DERIVED, SECRET, TECHNICAL, nameIn, type Sources } from './rules.ts';
import { companyTables } from './data-company-tables.ts';
import type { Part, Table } from './data-table.ts';
import { invitedId } from '#server/stand-in.ts';

/** Every table with rows of a person or an organization. A row of `activity` has those of `activity_origins` in it. */
export const tables: Readonly<Record<string, Table>> = {
  users: {
    columns: `id, first_name, last_name, designation, email, confirmed_at, contact_number, phone_e164, country,
      time_zone, language, language_chosen, mfa_enabled, wrong_codes, passkey_offer_declined_at, created_at`,
    person: { file: 'profile', of: 'id' },
  },
  pending_emails: {
    columns: 'email, created_at, mailed_at',
    key: 'user_id',
    person: { file: 'new-address' },
  },
  consents: { columns: 'version, language, agreed_at', key: 'version', person: { file: 'consents' } },
  pictures: {
    columns: 'media_type, created_at',
    withheld: { file_id: TECHNICAL },
    key: 'user_id',
    person: { file: 'picture' },
  },
  passwords: {
    columns: 'changed_at',
    withheld: { sealed_phc: SECRET },
    key: 'user_id',
    person: { file: 'password' },
  },
  passkeys: {
    columns: 'name, aaguid, transports, is_synced, sign_count, created_at, last_used_at',
    withheld: { credential_id: TECHNICAL, public_key: TECHNICAL },
    key: 'credential_id',
    person: { file: 'passkeys' },
  },
  authenticator_apps: {
    columns: 'created_at, last_used_at',
    withheld: { secret: SECRET, last_step: TECHNICAL },
    key: 'user_id',
    person: { file: 'authenticator-app' },
  },
  recovery_codes: {
    columns: 'created_at, used_at',
    withheld: { code_hash: SECRET },
    key: 'code_hash',
    person: { file: 'recovery-codes' },
  },
  remembered_browsers: {
    columns: 'second_step, ip_address, user_agent, location, created_at, expires_at',
    withheld: { id: COUNTED, device_hash: SECRET },
    person: { file: 'remembered-browsers' },
  },
  social_identities: {
    columns: 'provider, subject, created_at',
    key: 'provider, subject',
    person: { file: 'sign-in-services' },
  },
  sessions: {
    columns: `id, created_at, last_seen_at, authenticated_at, ip_address, user_agent, location, methods,
      second_step, proven`,
    withheld: { token_hash: SECRET, device_hash: SECRET, entered: DERIVED, entered_with_step: DERIVED },
    person: { file: 'sessions' },
  },
  known_devices: {
    columns: 'last_seen_at',
    withheld: { token_hash: SECRET },
    key: 'token_hash',
    person: { file: 'known-devices' },
  },
  restrictions: {
    columns: 'cause, created_at, ends_at, lifted_at',
    withheld: { id: COUNTED },
    person: { file: 'restrictions' },
  },
  one_time_tokens: {
    columns: 'purpose, subject, tries, created_at, expires_at, proven_at, used_at, member_id',
    withheld: { id: COUNTED, token_hash: SECRET, asked_from: ANOTHERS },
    person: { file: 'mailed-links' },
  },
  application_grants: {
    columns: 'application_id, org_id, scopes, is_remembered, consented_at, created_at, last_used_at',
    withheld: { id: COUNTED },
    person: { file: 'connected-applications', ofOrganizations: true },
  },
  application_sign_ins: {
    columns: 'application_id, org_id, session_id, subject, signed_in_at',
    withheld: { sid: SECRET },
    key: 'session_id, application_id',
    person: { file: 'application-sign-ins', ofOrganizations: true },
  },
  subjects: { columns: 'subject', key: 'user_id', person: { file: 'application-identity' } },
  email_preferences: {
    columns: 'type, wanted',
    key: 'type',
    names: { type: nameIn(NOTIFICATION_TYPE) },
    person: { file: 'mail-preferences' },
  },
  notifications: {
    columns: 'kind, details, org_id, created_at, read_at',
    withheld: { id: COUNTED, member_id: TECHNICAL, about_id: ANOTHERS },
    person: { file: 'notifications', ofOrganizations: true },
  },
  memberships: {
    columns: `id, role_id, status, first_name, last_name, designation, invitation_expires_at,
      invitation_language, created_at`,
    withheld: { name_key: DERIVED, last_key: DERIVED },
    names: { status: nameIn(MEMBER_STATUS) },
    person: { file: 'organizations', also: 'org_id, is_default, paused_at' },
    organization: {
      file: 'members',
      also: 'user_id, email_key, invited_by',
      // The id of an invited person would reveal whether they have an account.
      shown: ({ email_key: email, ...row }) => ({
        ...row,
        email,
        user_id: row['status'] === MEMBER_STATUS.invited ? invitedId(row['id'] as MemberId) : row['user_id'],
      }),
    },
  },
  activity: {
    columns: 'created_at, module, activity_type, action, record_id, information',
    withheld: {
      id: 'stands in the file as an opaque id',
      chain: DERIVED,
      position: DERIVED,
      information_mac: SECRET,
      mac: SECRET,
      key_id: TECHNICAL,
    },
    names: { module: nameIn(MODULE), activity_type: nameIn(ACTIVITY_TYPE), action: nameIn(ACTION) },
    person: { file: 'activity', also: 'org_id' },
    organization: { file: 'activity', also: 'user_id' },
  },
  activity_origins: {
    columns: 'ip_address, browser, system, location',
    withheld: { activity_id: COUNTED },
    person: { file: 'activity' },
    organization: { file: 'activity', of: 'user_id' },
  },
  organizations: {
    columns: `id, name, type, url_name, employee_count, description, website, application_name, second_step_rule,
      second_step_from, company_rule, company_rule_from, language, created_by, created_at`,
    organization: { file: 'organization', of: 'id' },
  },
  images: {
    columns: 'icon_type, media_type, uploaded_by, created_at, shown_at',
    withheld: { file_id: TECHNICAL },
    key: 'file_id',
    names: { icon_type: nameIn(ICON_TYPE) },
    organization: { file: 'icons' },
  },
  roles: {
    columns: 'id, name, kind, is_admin, created_by, created_at',
    withheld: { name_key: DERIVED },
    organization: { file: 'roles' },
  },
  role_rights: {
    columns: 'role_id, service, module, action',
    key: 'role_id, service, module, action',
    organization: { file: 'rights' },
  },
  applications: {
    columns: `id, client_id, name, description, kind, is_first_party, start_url, redirect_urls, signed_out_urls,
      sign_out_url, signing_algorithm, public_keys, apis, requires_par, requires_dpop, requires_pkce,
      is_for_everyone, members_of, paused_at, created_by, created_at, last_used_at`,
    organization: { file: 'applications' },
  },
  application_secrets: {
    columns: 'application_id, created_at, ends_at',
    withheld: { id: COUNTED, secret_hash: SECRET },
    organization: { file: 'application-secrets', of: 'application_id', through: 'applications' },
  },
  application_icons: {
    columns: 'application_id, media_type, created_at',
    withheld: { file_id: TECHNICAL },
    key: 'application_id',
    organization: { file: 'application-icons', of: 'application_id', through: 'applications' },
  },
  application_roles: {
    columns: 'application_id, role_id',
    key: 'application_id, role_id',
    organization: { file: 'application-roles', of: 'application_id', through: 'applications' },
  },
  ...companyTables,
  webhooks: {
    columns: `id, url, description, events, former_secret_ends_at, paused_at, switched_off_at, failing_since,
      created_by, created_at`,
    withheld: { sealed_secret: SECRET, former_sealed_secret: SECRET },
    organization: { file: 'webhooks' },
  },
  webhook_deliveries: {
    columns: `webhook_id, message_id, event, payload, status, created_at, next_try_at, attempts, first_failed_at,
      tried_at, status_code, duration_ms, response, error`,
    withheld: { id: COUNTED, subject: DERIVED, lane: DERIVED, job_id: TECHNICAL },
    key: 'webhook_id, id',
    organization: { file: 'webhook-deliveries', of: 'webhook_id', through: 'webhooks' },
  },
};

const listed = (list: string | undefined) => list?.split(/,\s*/) ?? [];

function sourcesOf(subject: 'person' | 'organization', idColumn: string): Sources {
  return Object.fromEntries(
    Object.entries(tables).flatMap(([table, { columns, key = 'id', names, ...parts }]) => {
      const part: Part<string> | undefined = parts[subject];
      if (!part) return [];
      const { also, of = idColumn, ...others } = part;
      const exported = [...listed(columns), ...listed(also)];
      return [[table, { ...others, of, key: listed(key), columns: exported, ...(names && { names }) }]];
    }),
  );
}
export const personSources = sourcesOf('person', 'user_id');
export const organizationSources = sourcesOf('organization', 'org_id');
