-- Signed-in devices with their place, the mails a person wants, and what their notification panel tells.

alter table sessions
  add column location text not null default 'Unknown',
  add column device_hash bytea,
  add constraint sessions_device_fkey foreign key (device_hash, user_id) references known_devices (token_hash, user_id)
    on update cascade on delete set null (device_hash);
comment on column sessions.location is 'where the address was when the session began, as far as one could tell';
comment on column sessions.device_hash is 'the remembered browser it was opened in, which is forgotten with it when somebody removes the device';

alter table redirect_codes
  add column session_id bigint constraint redirect_codes_session_fkey references sessions on delete cascade;
create index redirect_codes_session_id_idx on redirect_codes (session_id);
comment on column redirect_codes.session_id is 'a code goes with the session it was made in';

create table email_preferences (
  user_id bigint not null constraint email_preferences_user_fkey references users on delete cascade,
  type smallint not null constraint email_preferences_type_known check (type in (1, 2, 3)),
  wanted boolean not null,
  constraint email_preferences_pkey primary key (user_id, type)
);
comment on column email_preferences.type is '1 product updates, 2 product offers, 3 promotional updates; no row means not asked for';

create table notifications (
  id bigint generated always as identity constraint notifications_pkey primary key,
  user_id bigint not null constraint notifications_user_fkey references users on delete cascade,
  kind text not null constraint notifications_kind_known check (kind in (
    'invitation', 'invitation_answered', 'role_changed', 'new_device', 'address_to_confirm', 'deletion_scheduled')),
  details jsonb not null,
  org_id bigint constraint notifications_org_fkey references organizations on delete cascade,
  member_id bigint constraint notifications_member_fkey references memberships on delete cascade,
  about_id bigint constraint notifications_about_fkey references users on delete cascade,
  created_at timestamptz not null,
  read_at timestamptz,
  constraint notifications_invitation check ((kind = 'invitation') = (member_id is not null))
);
create index notifications_user_id_idx on notifications (user_id, id desc);
create index notifications_about_id_idx on notifications (about_id);
create index notifications_org_id_idx on notifications (org_id);
create unique index notifications_member_id_key on notifications (member_id);
create index notifications_created_at_idx on notifications (created_at);
comment on column notifications.details is 'the names its words need, as they were then';
comment on column notifications.org_id is 'where it leads, for who still belongs there';
comment on column notifications.about_id is 'somebody else whom it names; it goes with them';
comment on column notifications.member_id is 'the invitation it tells of; it goes with it';
