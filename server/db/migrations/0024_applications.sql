-- Applications that people enter through OpenID Connect, and what the provider keeps for them.

create table subjects (
  user_id bigint constraint subjects_pkey primary key
    constraint subjects_user_id_fkey references users on delete cascade,
  subject uuid not null default gen_random_uuid() constraint subjects_subject_key unique
);
comment on table subjects is 'the name of a person towards applications: random, never reused, made at the first visit';

create table applications (
  id bigint generated always as identity constraint applications_pkey primary key,
  client_id text not null constraint applications_client_id_key unique,
  org_id bigint constraint applications_org_id_fkey references organizations on delete cascade,
  name text not null constraint applications_name_filled check (name <> ''),
  description text not null default '',
  kind text not null constraint applications_kind_known check (kind in ('web', 'single-page', 'native', 'server')),
  is_first_party boolean not null default false,
  start_url text,
  icon_url text,
  redirect_urls text[] not null default '{}',
  signed_out_urls text[] not null default '{}',
  sign_out_url text,
  signing_algorithm text not null default 'ES256'
    constraint applications_signing_algorithm_known check (signing_algorithm in ('ES256', 'RS256')),
  public_keys jsonb,
  apis text[] not null default '{}',
  requires_par boolean not null default false,
  requires_dpop boolean not null default false,
  is_for_everyone boolean not null default true,
  paused_at timestamptz,
  created_by bigint constraint applications_created_by_fkey references users on delete set null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint applications_first_party_of_suite check (not (is_first_party and org_id is not null))
);
create index applications_org_id_idx on applications (org_id);
create index applications_created_by_idx on applications (created_by);
comment on column applications.org_id is 'the organization whose own application it is; null: the suite''s, registered by the operator';
comment on column applications.sign_out_url is 'where its server receives logout tokens (OpenID Connect Back-Channel Logout 1.0)';
comment on column applications.public_keys is 'the JWK Set with which it signs private_key_jwt; null: it has a secret or is public';

create table application_secrets (
  id bigint generated always as identity constraint application_secrets_pkey primary key,
  application_id bigint not null
    constraint application_secrets_application_id_fkey references applications on delete cascade,
  secret_hash bytea not null,
  created_at timestamptz not null,
  ends_at timestamptz
);
create index application_secrets_application_id_idx on application_secrets (application_id);

create table application_roles (
  application_id bigint not null
    constraint application_roles_application_id_fkey references applications on delete cascade,
  role_id bigint not null constraint application_roles_role_id_fkey references roles on delete cascade,
  constraint application_roles_pkey primary key (application_id, role_id)
);
create index application_roles_role_id_idx on application_roles (role_id);
comment on table application_roles is 'the roles whose members may enter, unless the application is for everyone';

create table application_grants (
  id bigint generated always as identity constraint application_grants_pkey primary key,
  user_id bigint not null constraint application_grants_user_id_fkey references users on delete cascade,
  application_id bigint not null
    constraint application_grants_application_id_fkey references applications on delete cascade,
  org_id bigint constraint application_grants_org_id_fkey references organizations on delete cascade,
  scopes text[] not null,
  is_remembered boolean not null default false,
  consented_at timestamptz,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create unique index application_grants_person_idx on application_grants (user_id, application_id, coalesce(org_id, 0));
create index application_grants_user_id_idx on application_grants (user_id);
create index application_grants_application_id_idx on application_grants (application_id);
create index application_grants_org_id_idx on application_grants (org_id);
comment on table application_grants is 'what a person let an application learn and do, per organization; deleting the row ends its tokens';
comment on column application_grants.is_remembered is 'the organization that the person chose for this application for good';

create table provider_records (
  kind text not null,
  id_hash bytea not null,
  application_id bigint
    constraint provider_records_application_id_fkey references applications on delete cascade,
  session_id bigint constraint provider_records_session_id_fkey references sessions on delete cascade,
  grant_id bigint constraint provider_records_grant_id_fkey references application_grants on delete cascade,
  family text,
  uid text,
  payload jsonb not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  constraint provider_records_pkey primary key (id_hash, kind)
);
create index provider_records_application_id_idx on provider_records (application_id);
create index provider_records_session_id_idx on provider_records (session_id);
create index provider_records_grant_id_idx on provider_records (grant_id);
create index provider_records_family_idx on provider_records (family) where family is not null;
create index provider_records_expires_at_idx on provider_records (expires_at);
comment on table provider_records is 'the provider''s codes, tokens and open requests, by the hash of each credential';
comment on column provider_records.session_id is 'the session that it ends with; null with offline_access';
comment on column provider_records.family is 'everything that came of one authorization, which ends together';

create table application_sign_ins (
  session_id bigint not null,
  application_id bigint not null
    constraint application_sign_ins_application_id_fkey references applications on delete cascade,
  user_id bigint not null,
  org_id bigint,
  sid text not null,
  subject text not null,
  signed_in_at timestamptz not null,
  constraint application_sign_ins_pkey primary key (session_id, application_id)
);
create index application_sign_ins_application_id_idx on application_sign_ins (application_id);
create index application_sign_ins_user_id_idx on application_sign_ins (user_id);
comment on table application_sign_ins is 'the applications that a session has entered; outlives their tokens and the session, until they are told of its end';

create table signing_keys (
  kid text constraint signing_keys_pkey primary key,
  algorithm text not null constraint signing_keys_algorithm_known check (algorithm in ('ES256', 'RS256')),
  sealed_key bytea not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  retires_at timestamptz
);
comment on column signing_keys.sealed_key is 'the private JWK, encrypted by SECRET_KEY';
comment on column signing_keys.retires_at is 'when it leaves the published set; null for the newest';

-- Whatever deletes a session or ends a membership tells the applications, in the same transaction.
create function tell_applications_of_session() returns trigger language plpgsql as $$
begin
  with told as (
    delete from application_sign_ins using ended
    where application_sign_ins.session_id = ended.id
    returning application_sign_ins.*
  )
  insert into jobs (kind, payload, lane, created_at, run_at)
  select 'sign-out', jsonb_build_object('application', told.application_id, 'sid', told.sid, 'subject', told.subject),
    'sign-out ' || told.application_id, now(), to_timestamp(0)
  from told join applications on applications.id = told.application_id
  where applications.sign_out_url is not null;
  return null;
end
$$;
create trigger sessions_told_applications after delete on sessions
  referencing old table as ended for each statement execute function tell_applications_of_session();

create function tell_applications_of_membership() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.status = 2 or old.status <> 2) then
    return null;
  end if;
  with told as (
    delete from application_sign_ins
    where user_id = old.user_id and org_id = old.org_id
    returning *
  )
  insert into jobs (kind, payload, lane, created_at, run_at)
  select 'sign-out', jsonb_build_object('application', told.application_id, 'sid', told.sid, 'subject', told.subject),
    'sign-out ' || told.application_id, now(), to_timestamp(0)
  from told join applications on applications.id = told.application_id
  where applications.sign_out_url is not null;
  return null;
end
$$;
create trigger memberships_told_applications after delete or update of status on memberships
  for each row execute function tell_applications_of_membership();
