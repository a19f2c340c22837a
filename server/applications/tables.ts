import type { Generated } from 'kysely';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import type { MediaType } from '#contract/drive/calls.ts';
import type { ApplicationId, ApplicationKind, GrantId } from '#contract/applications/registration.ts';
import type { OrgId, RoleId, SessionId, UserId } from '#contract/wire.ts';

export type SigningAlgorithm = 'ES256' | 'RS256';

export type ApplicationTables = {
  subjects: { user_id: UserId; subject: Generated<string> };
  applications: {
    id: Generated<ApplicationId>;
    client_id: string;
    org_id: OrgId | null;
    name: string;
    description: Generated<string>;
    kind: ApplicationKind;
    is_first_party: Generated<boolean>;
    start_url: string | null;
    redirect_urls: Generated<string[]>;
    signed_out_urls: Generated<string[]>;
    sign_out_url: string | null;
    signing_algorithm: Generated<SigningAlgorithm>;
    public_keys: { readonly keys: readonly object[] } | null;
    apis: Generated<string[]>;
    requires_par: Generated<boolean>;
    requires_dpop: Generated<boolean>;
    requires_pkce: Generated<boolean>;
    is_for_everyone: Generated<boolean>;
    members_of: OrgId | 0 | null;
    paused_at: Date | null;
    created_by: UserId | null;
    created_at: Date;
    last_used_at: Date | null;
  };
  application_secrets: {
    id: Generated<number>;
    application_id: ApplicationId;
    secret_hash: Uint8Array;
    created_at: Date;
    ends_at: Date | null;
  };
  application_icons: {
    application_id: ApplicationId;
    file_id: FileId;
    media_type: MediaType;
    created_at: Date;
  };
  application_roles: { application_id: ApplicationId; role_id: RoleId };
  application_grants: {
    id: Generated<GrantId>;
    user_id: UserId;
    application_id: ApplicationId;
    org_id: OrgId | null;
    scopes: string[];
    is_remembered: Generated<boolean>;
    consented_at: Date | null;
    created_at: Date;
    last_used_at: Date;
  };
  provider_records: {
    kind: string;
    id_hash: Uint8Array;
    application_id: ApplicationId | null;
    session_id: SessionId | null;
    grant_id: GrantId | null;
    family: string | null;
    payload: Record<string, unknown>;
    expires_at: Date;
    consumed_at: Date | null;
  };
  application_sign_ins: {
    session_id: SessionId;
    application_id: ApplicationId;
    user_id: UserId;
    org_id: OrgId | null;
    sid: string;
    subject: string;
    signed_in_at: Date;
  };
  signing_keys: {
    kid: string;
    algorithm: SigningAlgorithm;
    sealed_key: Uint8Array;
    created_at: Date;
    signs_from: Date;
    retires_at: Date | null;
  };
};
