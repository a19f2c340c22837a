// The columns of the tables as TypeScript types. Young features keep theirs in a file of their own.
import type { ColumnType, Generated, GeneratedAlways, Insertable, Kysely, Transaction } from 'kysely';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import type { NotificationId, NotificationKind, NotificationType } from '#contract/communications/calls.ts';
import type { MediaType } from '#contract/drive/calls.ts';
import type { MemberStatus } from '#contract/members/calls.ts';
import type { IconType } from '#contract/organizations/calls.ts';
import type { Right } from '#contract/roles/permissions.ts';
import type { Proven, ProvenStep, SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import type { ProviderName } from '#contract/social/calls.ts';
import type { MemberId, OrgId, RoleId, SessionId, UserId } from '#contract/wire.ts';
import type { FactorTables } from '#server/sign-in/tables.ts';
import type { ApplicationTables } from '#server/applications/tables.ts';
import type { CompanyRule } from '#contract/company-sign-in/rule.ts';
import type { CompanySignInTables } from '#server/company-sign-in/tables.ts';
import type { OperatorTables } from '#server/operator/tables.ts';
import type { WebhookTables } from '#server/webhooks/tables.ts';

export type TokenPurpose =
  | 'verify-email'
  | 'set-password'
  | 'reset-password'
  | 'not-me'
  | 'restore-account'
  | 'invitation'
  | 'change-email'
  | 'restore-email';

/** As ID tokens name it (RFC 8176): `fed` is another provider, `hwk` a passkey of one device, `swk` a copied one. */
export type Method = 'pwd' | 'otp' | 'fed' | 'hwk' | 'swk';

export type Tables = ApplicationTables &
  CompanySignInTables &
  FactorTables &
  OperatorTables &
  WebhookTables & {
    users: {
      id: Generated<UserId>;
      email: string | null;
      confirmed_at: Date | null;
      first_name: Generated<string>;
      last_name: Generated<string>;
      designation: Generated<string>;
      country: string | null;
      time_zone: string | null;
      language: Generated<string | null>;
      language_chosen: Generated<boolean>;
      contact_number: Generated<string>;
      phone_e164: Generated<string | null>;
      mfa_enabled: Generated<boolean>;
      wrong_codes: Generated<number>;
      passkey_offer_declined_at: Date | null;
      created_at: Date;
    };
    passwords: { user_id: UserId; sealed_phc: Uint8Array; changed_at: Date };
    sessions: {
      id: Generated<SessionId>;
      user_id: UserId;
      token_hash: Uint8Array;
      created_at: Date;
      last_seen_at: Date;
      authenticated_at: Date;
      ip_address: string;
      user_agent: string;
      location: string;
      device_hash: Uint8Array | null;
      methods: Generated<Method[]>;
      second_step: ProvenStep | null;
      proven: Generated<Proven>;
      entered: Generated<OrgId[]>;
      entered_with_step: Generated<OrgId[]>;
    };
    one_time_tokens: {
      id: Generated<number>;
      purpose: TokenPurpose;
      user_id: UserId;
      subject: string;
      token_hash: Uint8Array;
      tries: Generated<number>;
      created_at: Date;
      expires_at: Date;
      used_at: Date | null;
      member_id: MemberId | null;
      proven_at: Date | null;
      asked_from: string | null;
    };
    restrictions: {
      id: Generated<number>;
      user_id: UserId;
      cause: 'wrong-codes' | 'operator';
      created_at: Date;
      ends_at: Date;
      lifted_at: Date | null;
    };
    account_deletions: { user_id: UserId; reason: string; requested_at: Date; due_at: Date };
    terms_versions: { version: string; shown_at: Date };
    consents: { user_id: UserId; version: string; language: string; agreed_at: Date };
    challenges: {
      id: Generated<number>;
      user_id: UserId;
      session_id: SessionId | null;
      token_hash: Uint8Array | null;
      code_hash: Uint8Array;
      tries: Generated<number>;
      mails: Generated<number>;
      created_at: Date;
      mailed_at: Date;
      expires_at: Date;
      used_at: Date | null;
      method: Method | null;
    };
    known_devices: { token_hash: Uint8Array; user_id: UserId; last_seen_at: Date };
    installation: { one: Generated<boolean>; key_id: string };
    former_keys: { id: Generated<number>; key_id: string; purpose: string; sealed_key: Uint8Array };
    rate_limits: { key: string; count: number; resets_at: Date; blocked_until: Date };
    sign_in_waits: {
      counter: string;
      address_hash: Uint8Array;
      network: string;
      since: Date;
      waits_until: Date | null;
      expires_at: Date;
    };
    redirect_codes: {
      code_hash: Uint8Array;
      user_id: UserId;
      org_id: OrgId | null;
      redirect_url: string;
      session_id: SessionId | null;
      expires_at: Date;
      used_at: Date | null;
    };
    data_exports: {
      id: Generated<number>;
      user_id: UserId | null;
      org_id: OrgId | null;
      requested_by: UserId | null;
      org_ids: OrgId[] | null;
      requested_at: Date;
      job_id: number | null;
      made_at: Date | null;
      expires_at: Date | null;
      file_id: FileId | null;
      further_file_ids: Generated<FileId[]>;
      byte_count: number | null;
    };
    email_preferences: { user_id: UserId; type: NotificationType; wanted: boolean };
    notifications: {
      id: Generated<NotificationId>;
      user_id: UserId;
      kind: NotificationKind;
      details: Record<string, string>;
      org_id: OrgId | null;
      member_id: MemberId | null;
      about_id: UserId | null;
      created_at: Date;
      read_at: Date | null;
    };
    social_identities: { provider: ProviderName; subject: string; user_id: UserId; created_at: Date };
    social_visits: {
      state_hash: Uint8Array;
      browser_hash: Uint8Array;
      provider: ProviderName;
      session_id: SessionId | null;
      terms_version: string | null;
      subject: string | null;
      said: string | null;
      expires_at: Date;
    };
    organizations: {
      id: Generated<OrgId>;
      name: string;
      type: Generated<string>;
      url_name: string;
      employee_count: number | null;
      description: Generated<string>;
      website: Generated<string>;
      application_name: string;
      second_step_rule: Generated<SecondStepRule>;
      second_step_from: Date | null;
      company_rule: Generated<CompanyRule>;
      company_rule_from: Date | null;
      language: Generated<string | null>;
      created_by: UserId | null;
      created_at: Date;
    };
    kept_url_names: { name_hash: Uint8Array; kept_until: Date };
    roles: {
      id: Generated<RoleId>;
      org_id: OrgId;
      name: string;
      name_key: string;
      kind: RoleKind;
      is_admin: boolean;
      created_by: UserId | null;
      created_at: Date;
    };
    role_rights: { org_id: OrgId; role_id: RoleId; service: string; module: number; action: Right };
    memberships: {
      id: Generated<MemberId>;
      org_id: OrgId;
      user_id: UserId;
      role_id: RoleId;
      status: MemberStatus;
      first_name: string;
      last_name: Generated<string>;
      designation: Generated<string>;
      is_default: Generated<boolean>;
      invited_by: UserId | null;
      invitation_expires_at: Date | null;
      invitation_language: Generated<string | null>;
      paused_at: Generated<Date | null>;
      created_at: Date;
      name_key: GeneratedAlways<string>;
      last_key: GeneratedAlways<string>;
      /** Kept up to date by triggers; only a renewed invitation sets it directly. */
      email_key: ColumnType<string, never, string>;
    };
    member_search: { member_id: MemberId; words: string };
    member_counts: { org_id: OrgId; role_id: RoleId; status: MemberStatus; members: number };
    images: {
      file_id: FileId;
      org_id: OrgId;
      icon_type: IconType;
      media_type: MediaType;
      uploaded_by: UserId | null;
      created_at: Date;
      shown_at: Date | null;
    };
    pending_emails: { user_id: UserId; email: string; created_at: Date; mailed_at: Date };
    pictures: { user_id: UserId; file_id: FileId; media_type: MediaType; created_at: Date };
    activity_chains: { chain: string; length: number; head: Uint8Array };
    activity: {
      id: Generated<number>;
      chain: string;
      position: number;
      org_id: OrgId | null;
      user_id: UserId;
      created_at: Date;
      module: number;
      activity_type: number;
      action: number;
      record_id: number | null;
      information: Record<string, unknown>;
      information_mac: Uint8Array;
      mac: Uint8Array;
      key_id: string;
    };
    activity_origins: {
      activity_id: number;
      user_id: UserId;
      ip_address: string;
      browser: string;
      system: string;
      location: string;
    };
    activity_anchors: { day: string; asked_at: Date };
    jobs: {
      id: Generated<number>;
      kind: string;
      payload: Record<string, unknown>;
      lane: string | null;
      user_id: UserId | null;
      letter: string | null;
      created_at: Date;
      run_at: Date;
      expires_at: Date | null;
      attempts: Generated<number>;
      failures: Generated<number>;
      lost: Generated<number>;
      lease_until: Date | null;
      last_error: string | null;
      failing_since: Date | null;
      done_at: Date | null;
      failed_at: Date | null;
    };
    job_turns: { name: string; next_at: Date; misses: Generated<number> };
  };

export type RoleKind = 'super-admin' | 'admin' | 'custom';

export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>;

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
