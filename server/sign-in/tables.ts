import type { Generated } from 'kysely';
import type { SecondStep } from '#contract/sign-in/calls.ts';
import type { UserId } from '#contract/wire.ts';

export type FactorTables = {
  passkey_owners: { user_id: UserId; handle: Uint8Array };
  passkeys: {
    credential_id: Uint8Array;
    user_id: UserId;
    public_key: Uint8Array;
    sign_count: number;
    aaguid: string;
    name: string | null;
    transports: string[];
    is_synced: boolean;
    created_at: Date;
    last_used_at: Date | null;
  };
  passkey_challenges: { hash: Uint8Array; expires_at: Date };
  authenticator_apps: {
    user_id: UserId;
    secret: Uint8Array;
    last_step: number;
    created_at: Date;
    last_used_at: Date | null;
  };
  recovery_codes: { user_id: UserId; code_hash: Uint8Array; created_at: Date; used_at: Date | null };
  remembered_browsers: {
    id: Generated<string>;
    user_id: UserId;
    device_hash: Uint8Array;
    second_step: Exclude<SecondStep, 'passkey'>;
    ip_address: string;
    user_agent: string;
    location: string;
    created_at: Date;
    expires_at: Date;
  };
};
