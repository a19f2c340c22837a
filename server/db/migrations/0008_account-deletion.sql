-- The way back from a scheduled deletion: the mailed link, and which memberships come back with the person.

alter table one_time_tokens drop constraint one_time_tokens_purpose_known;
alter table one_time_tokens add constraint one_time_tokens_purpose_known
  check (purpose in ('verify-email', 'set-password', 'reset-password', 'not-me', 'restore-account'));

alter table memberships add column paused_at timestamptz;
comment on column memberships.paused_at is 'when the person''s own scheduled deletion set it Inactive; restoring the account sets it Active again';
