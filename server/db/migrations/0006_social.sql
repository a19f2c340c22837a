-- Signing in with an account at Facebook or Google.

create table social_identities (
  provider text not null constraint social_identities_provider_known check (provider in ('facebook', 'google')),
  subject text not null,
  user_id bigint not null constraint social_identities_user_fkey references users on delete cascade,
  created_at timestamptz not null,
  constraint social_identities_pkey primary key (provider, subject)
);
create index social_identities_user_id_idx on social_identities (user_id);
comment on table social_identities is 'who may come in without a password; never found by an address';
comment on column social_identities.subject is 'the provider''s own name of the person, which it never gives to another';

create table social_visits (
  state_hash bytea constraint social_visits_pkey primary key,
  browser_hash bytea not null,
  provider text not null,
  session_id bigint constraint social_visits_session_fkey references sessions on delete cascade,
  expires_at timestamptz not null
);
create index social_visits_session_id_idx on social_visits (session_id);
create index social_visits_expires_at_idx on social_visits (expires_at);
comment on table social_visits is 'people on their way to a provider and back; the row goes when they return';
comment on column social_visits.state_hash is 'SHA-256 of the state parameter; PKCE verifier and nonce are made of it and the installation''s key';
comment on column social_visits.browser_hash is 'SHA-256 of the cookie of the browser that left';
comment on column social_visits.session_id is 'who is to get the identity linked; null for signing in';
