-- What costs more with each member or session there is: counting members, writing when a session was used, and looking for
-- what is over.

create table member_counts (
  org_id bigint not null,
  role_id bigint not null,
  status smallint not null,
  members integer not null constraint member_counts_not_negative check (members >= 0),
  constraint member_counts_pkey primary key (role_id, status),
  constraint member_counts_role_fkey foreign key (org_id, role_id) references roles (org_id, id) on delete cascade
);
create index member_counts_org_id_idx on member_counts (org_id);
comment on table member_counts is 'how many members an organization has by role and status, so that nobody counts them; triggers keep it';

create function count_members(org bigint, role bigint, of_status smallint, more bigint) returns void language plpgsql as $$
begin
  update member_counts set members = members + more where role_id = role and status = of_status;
  -- Fewer of what is not there: the role has just gone with its organization.
  if not found and more > 0 then
    insert into member_counts (org_id, role_id, status, members) values (org, role, of_status, more)
    on conflict on constraint member_counts_pkey do update set members = member_counts.members + excluded.members;
  end if;
end
$$;

-- Once a statement, in one order, so that two statements never wait for each other crosswise.
create function memberships_keep_counts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_members(org_id, role_id, status, more) from (
      select org_id, role_id, status, count(*) as more from rows_after group by org_id, role_id, status
      order by role_id, status) as changed;
  elsif tg_op = 'DELETE' then
    perform count_members(org_id, role_id, status, -fewer) from (
      select org_id, role_id, status, count(*) as fewer from rows_before group by org_id, role_id, status
      order by role_id, status) as changed;
  else
    perform count_members(org_id, role_id, status, more) from (
      select org_id, role_id, status, sum(change)::bigint as more from (
        select org_id, role_id, status, 1 as change from rows_after
        union all select org_id, role_id, status, -1 from rows_before) as each_row
      group by org_id, role_id, status having sum(change) <> 0
      order by role_id, status) as changed;
  end if;
  return null;
end
$$;
create trigger memberships_count_joined after insert on memberships
  referencing new table as rows_after for each statement execute function memberships_keep_counts();
create trigger memberships_count_gone after delete on memberships
  referencing old table as rows_before for each statement execute function memberships_keep_counts();
create trigger memberships_count_changed after update on memberships
  referencing old table as rows_before new table as rows_after
  for each statement execute function memberships_keep_counts();

insert into member_counts (org_id, role_id, status, members)
  select org_id, role_id, status, count(*) from memberships group by org_id, role_id, status;

-- When a session was used is written once a minute and must touch no index: then the row changes where it is, and nothing
-- but its page is written. A person has twenty at most, which are sorted when they are asked for.
drop index sessions_user_id_idx;
create index sessions_user_id_idx on sessions (user_id);
alter table sessions set (fillfactor = 90);

-- What is swept every hour is found by index, however much there is that stays.
create index one_time_tokens_ended_idx on one_time_tokens (least(expires_at, used_at));
create index challenges_expires_at_idx on challenges (expires_at);
create index redirect_codes_expires_at_idx on redirect_codes (expires_at);
create index known_devices_last_seen_at_idx on known_devices (last_seen_at);
