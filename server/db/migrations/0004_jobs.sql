-- Work for later, mails first of all: written in the transaction of what causes it, done after the commit.

create table jobs (
  id bigint generated always as identity constraint jobs_pkey primary key,
  kind text not null,
  payload jsonb not null,
  lane text,
  created_at timestamptz not null,
  run_at timestamptz not null,
  expires_at timestamptz,
  attempts smallint not null default 0,
  lease_until timestamptz,
  last_error text,
  done_at timestamptz,
  failed_at timestamptz
);
create index jobs_due_idx on jobs (run_at) where done_at is null and failed_at is null;
create index jobs_lane_idx on jobs (lane, id) where done_at is null and failed_at is null;
comment on column jobs.lane is 'jobs of one lane run in their order: mails to one person arrive as they were written';
comment on column jobs.expires_at is 'after this it is no longer worth doing';
comment on column jobs.lease_until is 'a process works on it until then; past it, another one takes over';
comment on column jobs.failed_at is 'given up, with the reason in last_error';
