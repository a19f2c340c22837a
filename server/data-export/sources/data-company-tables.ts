import { COUNTED, DERIVED, SECRET, TECHNICAL } from './rules.ts';
import type { Table } from './data-table.ts';

export const companyTables: Readonly<Record<string, Table>> = {
  company_domains: {
    columns: 'id, domain, token, joining, role_id, proven_at, checked_at, missing_since, created_at',
    organization: { file: 'company-domains' },
  },
  company_connections: {
    columns: 'id, is_on, issuer, client_id, secret_ends_at, declares_step, role_id, tested_at, created_at',
    withheld: { sealed_secret: SECRET, next_sealed_secret: SECRET, told_days: TECHNICAL },
    organization: { file: 'company-connections' },
  },
  company_identities: {
    columns: 'connection_id, issuer, subject, user_id, is_guest, created_at',
    key: 'connection_id, subject',
    person: { file: 'company-identities' },
    organization: { file: 'company-identities', of: 'connection_id', through: 'company_connections' },
  },
  company_attempts: {
    columns:
      'connection_id, reference, created_at, is_test, email, outcome, problem, is_said_in_address, claims',
    withheld: { id: COUNTED },
    key: 'connection_id, id',
    organization: { file: 'company-attempts', of: 'connection_id', through: 'company_connections' },
  },
  join_requests: {
    columns: 'org_id, user_id, created_at',
    key: 'user_id',
    person: { file: 'join-requests' },
    organization: { file: 'join-requests' },
  },
  scim_tokens: {
    columns: 'id, role_id, created_by, created_at, last_used_at, refused',
    withheld: { token_hash: SECRET },
    organization: { file: 'directory-tokens' },
  },
  scim_users: {
    columns: `id, member_id, user_name, external_id, email, is_active, formatted_name, given_name, family_name,
      display_name, title, created_at, changed_at`,
    withheld: { user_name_key: DERIVED, email_key: DERIVED, is_role_due: TECHNICAL },
    organization: { file: 'directory-people' },
  },
  scim_groups: {
    columns: 'id, display_name, external_id, role_id, created_at, changed_at',
    withheld: { name_key: DERIVED, size: DERIVED, role_changes: TECHNICAL },
    organization: { file: 'directory-groups' },
  },
  scim_group_members: {
    columns: 'group_id, scim_user_id',
    key: 'group_id, scim_user_id',
    organization: { file: 'directory-group-members', of: 'group_id', through: 'scim_groups' },
  },
};
