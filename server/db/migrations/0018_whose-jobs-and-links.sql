-- Whom a job is for, and when a mailbox was last read for a link.

alter table jobs add column user_id bigint;
comment on column jobs.user_id is 'the person it is for: it is dropped with them alone, whatever the address; null where it is for nobody or asks for an address';
create index if not exists jobs_user_id_idx on jobs (user_id) where user_id is not null;

alter table one_time_tokens add column proven_at timestamptz;
comment on column one_time_tokens.proven_at is 'when the link was mailed that handed this one on; null where this one was mailed itself';
