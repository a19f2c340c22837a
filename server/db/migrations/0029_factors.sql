-- Passkeys, authenticator apps, recovery codes and remembered browsers.

create table passkey_owners (
  user_id bigint constraint passkey_owners_pkey primary key
    constraint passkey_owners_user_id_fkey references users on delete cascade,
  handle bytea not null constraint passkey_owners_handle_key unique
);
comment on table passkey_owners is 'the random name of a person that their passkeys hold (WebAuthn user handle)';

create table passkeys (
  credential_id bytea constraint passkeys_pkey primary key,
  user_id bigint not null constraint passkeys_user_id_fkey references users on delete cascade,
  public_key bytea not null,
  sign_count bigint not null,
  aaguid uuid not null,
  name text constraint passkeys_name_filled check (name <> ''),
  transports text[] not null,
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user_id_idx on passkeys (user_id);
comment on column passkeys.aaguid is 'the kind of authenticator as it reports itself; zeros: it does not tell';

create table passkey_challenges (
  hash bytea constraint passkey_challenges_pkey primary key,
  expires_at timestamptz not null
);
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);
comment on table passkey_challenges is 'answered challenges until they expire, so that each serves once';

create table authenticator_apps (
  user_id bigint constraint authenticator_apps_pkey primary key
    constraint authenticator_apps_user_id_fkey references users on delete cascade,
  secret bytea not null,
  last_step bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on column authenticator_apps.secret is 'sealed with the site''s key';
comment on column authenticator_apps.last_step is 'the time step of the last code, so that each code serves once (RFC 6238 5.2)';

create table recovery_codes (
  user_id bigint not null constraint recovery_codes_user_id_fkey references users on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (user_id, code_hash)
);

create table remembered_browsers (
  id uuid constraint remembered_browsers_pkey primary key default gen_random_uuid(),
  user_id bigint not null,
  device_hash bytea not null,
  second_step text not null
    constraint remembered_browsers_second_step_known check (second_step in ('mail', 'app', 'recovery')),
  ip_address text not null,
  user_agent text not null,
  location text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A browser that is forgotten is not remembered either, and its row follows the browser's new cookie.
  constraint remembered_browsers_device_fkey foreign key (device_hash, user_id)
    references known_devices (token_hash, user_id) on update cascade on delete cascade,
  constraint remembered_browsers_device_key unique (user_id, device_hash)
);
create index remembered_browsers_expires_at_idx on remembered_browsers (expires_at);
comment on table remembered_browsers is 'browsers in which a person need not give a second step again';

alter table sessions add column second_step text;
alter table sessions add constraint sessions_second_step_known
  check (second_step in ('mail', 'app', 'passkey', 'recovery', 'provider')) not valid;
comment on column sessions.second_step is 'the strongest second step proven in this session; older processes leave it empty';

alter table users add column passkey_offer_declined_at timestamptz;

alter table organizations add column second_step_rule text not null default 'none';
alter table organizations add constraint organizations_second_step_rule_known
  check (second_step_rule in ('none', 'any', 'strong')) not valid;
alter table organizations add column second_step_from timestamptz;
alter table organizations add constraint organizations_second_step_dated
  check ((second_step_rule = 'none') = (second_step_from is null)) not valid;
comment on column organizations.second_step_rule is 'the second step its members need: none, any, or a strong one (passkey or authenticator app)';

-- The contract alone lists the kinds of notifications: a new one needs no migration.
alter table notifications drop constraint notifications_kind_known;
