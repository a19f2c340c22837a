-- One's own details: a phone number as machines dial it, an address that waits for its proof, and a picture.

alter table users add column phone_e164 text
  constraint users_phone_e164_form check (phone_e164 ~ '^\+[1-9][0-9]{1,14}$');
comment on column users.phone_e164 is 'contact_number in international form; null where it is no number of any country';

create table pending_emails (
  user_id bigint constraint pending_emails_pkey primary key constraint pending_emails_user_fkey references users on delete cascade,
  email text not null constraint pending_emails_canonical check (email = lower(email)),
  created_at timestamptz not null,
  mailed_at timestamptz not null
);
comment on table pending_emails is 'the address a person wants to have; nobody''s until its mailed link is opened, so any number may wait for one';
comment on column pending_emails.mailed_at is 'when its link was asked for last';

create table pictures (
  user_id bigint constraint pictures_pkey primary key constraint pictures_user_fkey references users on delete cascade,
  file_id text not null constraint pictures_file_id_key unique,
  media_type text not null constraint pictures_media_type_known check (media_type in ('image/png', 'image/jpeg')),
  created_at timestamptz not null
);
comment on table pictures is 'a person''s picture; its bytes lie in the storage under file_id';

alter table one_time_tokens drop constraint one_time_tokens_purpose_known;
alter table one_time_tokens add constraint one_time_tokens_purpose_known check (purpose in (
  'verify-email', 'set-password', 'reset-password', 'not-me', 'restore-account', 'invitation',
  'change-email', 'restore-email'
));
