-- Jobs that outlive crashes and outages, and what erasing a person has to find quickly.

alter table jobs
  add column failures smallint not null default 0,
  add column lost smallint not null default 0;
comment on column jobs.attempts is 'how often a process took it; whoever was overtaken holds an older number';
comment on column jobs.failures is 'how often it failed by itself: neither while its other side was away nor with its process';
comment on column jobs.lost is 'how often its process ended in the middle of it; it then runs alone, and a third time is the last';
comment on column jobs.lane is 'jobs of one lane run in their order: mails to one person arrive as they were written; empty once it is over';
create index jobs_lost_idx on jobs (run_at) where lost > 0 and done_at is null and failed_at is null;
create index jobs_lease_idx on jobs (lease_until) where lease_until is not null;
create index jobs_expires_idx on jobs (expires_at) where done_at is null and failed_at is null;
create index jobs_done_idx on jobs (done_at) where done_at is not null;
create index jobs_failed_idx on jobs (failed_at) where failed_at is not null;
-- A lane names an address, and nobody asks for it any more.
update jobs set lane = null where done_at is not null or failed_at is not null;
alter table jobs add constraint jobs_lane_open check (lane is null or (done_at is null and failed_at is null));
-- Claims have to be quick without statistics, too, which the embedded database never has and a burst outruns: in the
-- order they are asked for, and with nothing but its own index to find a lane by.
drop index jobs_due_idx;
create index jobs_due_idx on jobs (run_at, id) where done_at is null and failed_at is null;
drop index jobs_lane_idx;
create index jobs_lane_idx on jobs (lane, id) where lane is not null;

create table job_turns (
  name text constraint job_turns_pkey primary key,
  next_at timestamptz not null,
  misses smallint not null default 0
);
comment on table job_turns is 'what is not to be done before a time, whichever process comes first: the hourly sweep, and jobs of a kind whose other side is away';
comment on column job_turns.misses is 'how often in a row the other side was away';

create index roles_created_by_idx on roles (created_by);
create index memberships_invited_by_idx on memberships (invited_by);
create index account_deletions_due_idx on account_deletions (due_at);
-- Rows whose record is a person: profile, contact, membership, answer to an invitation.
create index activity_about_person_idx on activity (record_id, id) where activity_type in (1, 2, 8, 15);

-- Whoever has asked for the deletion of their account can't act, so they are nobody's last Super Admin, whatever their
-- membership says.
create or replace function memberships_keep_a_super_admin() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.status = 2 and new.role_id = old.role_id then
    return null;
  end if;
  if not exists (select from roles where id = old.role_id and kind = 'super-admin') then
    return null;
  end if;
  -- Of two at once the second waits here, and then sees what the first one did.
  perform from organizations where id = old.org_id for no key update;
  if exists (select from memberships where org_id = old.org_id and user_id <> old.user_id and status <> 4)
    and not exists (
      select from memberships join roles on roles.id = memberships.role_id
      where memberships.org_id = old.org_id and memberships.status = 2 and roles.kind = 'super-admin'
        and not exists (select from account_deletions where account_deletions.user_id = memberships.user_id)
    ) then
    raise exception 'organization % would be left without an active Super Admin', old.org_id
      using errcode = 'check_violation', constraint = 'memberships_super_admin', table = 'memberships';
  end if;
  return null;
end
$$;
