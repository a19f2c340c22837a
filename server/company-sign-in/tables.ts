import type { Generated } from 'kysely';
import type { DomainId, Joining } from '#contract/company-sign-in/domains.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';

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
};
