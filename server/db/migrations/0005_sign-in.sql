-- The second step, known devices, limits, and the codes an application redeems.

alter table users add column wrong_codes smallint not null default 0;
comment on column users.wrong_codes is 'one-time codes that were wrong in a row, over all challenges';

alter table one_time_tokens drop constraint one_time_tokens_purpose_known;
alter table one_time_tokens add constraint one_time_tokens_purpose_known
  check (purpose in ('verify-email', 'set-password', 'reset-password', 'not-me'));

create table challenges (
  id bigint generated always as identity constraint challenges_pkey primary key,
  user_id bigint not null constraint challenges_user_fkey references users on delete cascade,
  session_id bigint constraint challenges_session_fkey references sessions on delete cascade,
  token_hash bytea constraint challenges_token_hash_key unique,
  code_hash bytea not null,
  tries smallint not null default 0,
  mails smallint not null default 1,
  created_at timestamptz not null,
  mailed_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint challenges_one_door check ((token_hash is null) <> (session_id is null))
);
create index challenges_user_id_idx on challenges (user_id);
create unique index challenges_session_id_key on challenges (session_id);
comment on table challenges is 'a mailed code, either after a right password (token_hash) or to prove oneself again in a session (session_id)';
comment on column challenges.code_hash is 'keyed hash of the six digits; bound to this row';

create table known_devices (
  token_hash bytea not null,
  user_id bigint not null constraint known_devices_user_fkey references users on delete cascade,
  last_seen_at timestamptz not null,
  constraint known_devices_pkey primary key (token_hash, user_id)
);
create index known_devices_user_id_idx on known_devices (user_id);
comment on table known_devices is 'browsers somebody signed in with before; knowing one opens nothing';

create table rate_limits (
  key text constraint rate_limits_pkey primary key,
  count integer not null,
  resets_at timestamptz not null,
  blocked_until timestamptz not null
);
create index rate_limits_resets_at_idx on rate_limits (resets_at);
comment on column rate_limits.key is 'bucket and what it counts by; people and addresses only as hashes';

create table redirect_codes (
  code_hash bytea constraint redirect_codes_pkey primary key,
  user_id bigint not null constraint redirect_codes_user_fkey references users on delete cascade,
  org_id bigint constraint redirect_codes_org_fkey references organizations on delete cascade,
  redirect_url text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index redirect_codes_user_id_idx on redirect_codes (user_id);
create index redirect_codes_org_id_idx on redirect_codes (org_id);
