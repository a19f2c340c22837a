import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ConnectionId, VisitFailure, VisitOutcome } from '#contract/company-sign-in/connections.ts';
import type { DirectoryTokenId, RefusedCall } from '#contract/company-sign-in/directory.ts';
import type { DomainId, Joining } from '#contract/company-sign-in/domains.ts';
import type { MemberId, OrgId, RoleId, SessionId, UserId } from '#contract/wire.ts';

/** A claim of a provider, as text. */
type Claim = { readonly name: string; readonly value: string };

export type CompanySignInTables = {
  company_domains: {
    id: Generated<DomainId>;
    org_id: OrgId;
    domain: string;
    token: string;
    joining: Generated<Joining>;
    role_id: RoleId | null;
    proven_at: Date | null;
    checked_at: Date | null;
    missing_since: Date | null;
    created_at: Date;
  };
  company_connections: {
    id: Generated<ConnectionId>;
    org_id: OrgId;
    is_on: Generated<boolean>;
    issuer: Generated<string>;
    client_id: Generated<string>;
    sealed_secret: Uint8Array | null;
    next_sealed_secret: Uint8Array | null;
    secret_ends_at: Date | null;
    told_days: number | null;
    declares_step: Generated<boolean>;
    role_id: RoleId | null;
    tested_at: Date | null;
    created_at: Date;
  };
  company_identities: {
    connection_id: ConnectionId;
    issuer: string;
    subject: string;
    user_id: UserId;
    is_guest: Generated<boolean>;
    created_at: Date;
  };
  company_entries: {
    session_id: SessionId;
    connection_id: ConnectionId;
    subject: string;
    sid: string | null;
    id_token: string | null;
    created_at: Date;
  };
  company_visits: {
    state_hash: Uint8Array;
    browser_hash: Uint8Array;
    connection_id: ConnectionId;
    issuer: string;
    client_id: string;
    purpose: 'sign-in' | 'test' | 'proof';
    session_id: SessionId | null;
    next: string | null;
    failed: VisitFailure | null;
    problem: string;
    expires_at: Date;
  };
  company_leavings: {
    ticket_hash: Uint8Array;
    connection_id: ConnectionId;
    id_token: string | null;
    expires_at: Date;
  };
  company_logouts: { connection_id: ConnectionId; jti_hash: Uint8Array; expires_at: Date };
  company_links: {
    visit_hash: Uint8Array;
    browser_hash: Uint8Array;
    connection_id: ConnectionId;
    subject: string;
    user_id: UserId;
    sid: string | null;
    id_token: string | null;
    has_step: boolean;
    email: string | null;
    failed: VisitFailure | null;
    next: string | null;
    expires_at: Date;
  };
  company_attempts: {
    id: GeneratedAlways<number>;
    connection_id: ConnectionId;
    reference: string;
    created_at: Date;
    is_test: boolean;
    email: string | null;
    outcome: VisitOutcome;
    problem: Generated<string>;
    is_said_in_address: Generated<boolean>;
    claims: ColumnType<readonly Claim[] | null, string | null, never>;
  };
  join_requests: { org_id: OrgId; user_id: UserId; created_at: Date };
  scim_tokens: {
    id: Generated<DirectoryTokenId>;
    org_id: OrgId;
    token_hash: Uint8Array;
    role_id: RoleId | null;
    created_by: UserId | null;
    created_at: Date;
    last_used_at: Date | null;
    refused: Generated<RefusedCall[]>;
  };
  scim_users: {
    id: Generated<string>;
    org_id: OrgId;
    member_id: MemberId | null;
    user_name: string;
    user_name_key: GeneratedAlways<string>;
    external_id: string;
    email: string;
    email_key: string;
    is_active: boolean;
    formatted_name: Generated<string>;
    given_name: string;
    family_name: string;
    display_name: string;
    title: string;
    created_at: Date;
    changed_at: Date;
    is_role_due: Generated<boolean>;
  };
  scim_groups: {
    id: Generated<string>;
    org_id: OrgId;
    display_name: string;
    name_key: GeneratedAlways<string>;
    external_id: string;
    role_id: RoleId | null;
    role_changes: Generated<number>;
    size: Generated<number>;
    created_at: Date;
    changed_at: Date;
  };
  scim_group_members: { group_id: string; scim_user_id: string };
};
