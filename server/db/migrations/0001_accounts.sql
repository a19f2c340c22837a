-- People, what proves them, and what blocks them. SQL of PostgreSQL 15: the same text runs on PGlite.

create table users (
  id bigint generated always as identity constraint users_pkey primary key,
  email text constraint users_email_key unique constraint users_email_canonical check (email = lower(email)),
  confirmed_at timestamptz,
  first_name text not null default '',
  last_name text not null default '',
  designation text not null default '',
  country text,
  time_zone text,
  contact_number text not null default '',
  mfa_enabled boolean not null default false,
  created_at timestamptz not null
);
comment on column users.email is 'canonical form (trimmed, lower case, IDNA); null for people of a provider that gives none';
comment on column users.confirmed_at is 'when somebody proved to hold the mailbox';
comment on column users.country is 'English name from the contract''s list';
comment on column users.time_zone is 'name from the contract''s list, never an older spelling';

create table passwords (
  user_id bigint constraint passwords_pkey primary key constraint passwords_user_fkey references users on delete cascade,
  phc text not null,
  key_id text not null,
  changed_at timestamptz not null
);
comment on column passwords.phc is 'argon2id PHC string; the pepper is not in it';
comment on column passwords.key_id is 'which SECRET_KEY peppered it; an old one is replaced at the next sign-in';

create table sessions (
  id bigint generated always as identity constraint sessions_pkey primary key,
  user_id bigint not null constraint sessions_user_fkey references users on delete cascade,
  token_hash bytea not null constraint sessions_token_hash_key unique,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  authenticated_at timestamptz not null,
  ip_address text not null,
  user_agent text not null
);
create index sessions_user_id_idx on sessions (user_id, last_seen_at);
comment on column sessions.token_hash is 'SHA-256 of the cookie; the cookie itself is never stored';
comment on column sessions.authenticated_at is 'last proof of identity in this session';

create table one_time_tokens (
  id bigint generated always as identity constraint one_time_tokens_pkey primary key,
  purpose text not null constraint one_time_tokens_purpose_known check (purpose in ('verify-email', 'set-password')),
  user_id bigint not null constraint one_time_tokens_user_fkey references users on delete cascade,
  subject text not null,
  token_hash bytea not null constraint one_time_tokens_token_hash_key unique,
  tries smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_tokens_user_id_idx on one_time_tokens (user_id, purpose, created_at);
comment on column one_time_tokens.subject is 'what it proves, an address for instance: it does not serve for another one';
comment on column one_time_tokens.used_at is 'when it was used or replaced; either way it no longer serves';

create table restrictions (
  id bigint generated always as identity constraint restrictions_pkey primary key,
  user_id bigint not null constraint restrictions_user_fkey references users on delete cascade,
  cause text not null constraint restrictions_cause_known check (cause in ('wrong-codes', 'operator')),
  created_at timestamptz not null,
  ends_at timestamptz not null,
  lifted_at timestamptz
);
create index restrictions_user_id_idx on restrictions (user_id, ends_at);

create table account_deletions (
  user_id bigint constraint account_deletions_pkey primary key constraint account_deletions_user_fkey references users on delete cascade,
  reason text not null,
  requested_at timestamptz not null,
  due_at timestamptz not null
);
comment on table account_deletions is 'a row deactivates the account; removing it before due_at restores it';
