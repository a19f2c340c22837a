import type { Generated, GeneratedAlways } from 'kysely';
import type { DirectoryTokenId, RefusedCall } from '#contract/company-sign-in/directory.ts';
import type { DomainId, Joining } from '#contract/company-sign-in/domains.ts';
import type { MemberId, OrgId, RoleId, UserId } from '#contract/wire.ts';

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
    given_name: string;
    family_name: string;
    display_name: string;
    title: string;
    created_at: Date;
    changed_at: Date;
  };
  scim_groups: {
    id: Generated<string>;
    org_id: OrgId;
    display_name: string;
    name_key: GeneratedAlways<string>;
    external_id: string;
    role_id: RoleId | null;
    created_at: Date;
    changed_at: Date;
  };
  scim_group_members: { group_id: string; scim_user_id: string };
};
