-- The activity log is read by filter at any size, its links cover all of a row, and its ends are written elsewhere once a day.

alter table activity add column link_version smallint not null default 1
  constraint activity_link_version_known check (link_version in (1, 2));
alter table activity alter column link_version drop default;
comment on column activity.link_version is 'what the mac covers: since 2 also org_id and key_id; never an older one after a newer one';

-- Newest first, from wherever a page begins. One that asks for kinds of rows seeks each kind in turn, so that three old
-- rows among millions are found as fast as the newest. Sorting by IS NULL takes an index of its own.
drop index activity_org_id_idx;
drop index activity_user_id_idx;
create index activity_org_idx on activity (org_id, created_at desc, id desc) where org_id is not null;
create index activity_org_kind_idx on activity
  (org_id, module, activity_type, action, created_at desc, id desc) where org_id is not null;
create index activity_member_idx on activity (org_id, user_id, created_at desc, id desc) where org_id is not null;
create index activity_member_kind_idx on activity
  (org_id, user_id, module, activity_type, action, created_at desc, id desc) where org_id is not null;
create index activity_person_idx on activity (user_id, created_at desc, id desc) where org_id is null;
create index activity_person_kind_idx on activity
  (user_id, module, activity_type, action, created_at desc, id desc) where org_id is null;

-- Emptying a table as a whole fires no trigger of its rows, and a replica's session fires none but these.
create trigger activity_never_emptied before truncate on activity
  for each statement execute function activity_is_append_only();
alter table activity enable always trigger activity_append_only;
alter table activity enable always trigger activity_never_emptied;

create function activity_chain_only_grows() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.chain = old.chain and new.length = old.length + 1 then
    return new;
  end if;
  raise exception 'activity chains only grow, by one row at a time';
end
$$;
create trigger activity_chains_only_grow before update or delete on activity_chains
  for each row execute function activity_chain_only_grows();
create trigger activity_chains_never_emptied before truncate on activity_chains
  for each statement execute function activity_chain_only_grows();
alter table activity_chains enable always trigger activity_chains_only_grow;
alter table activity_chains enable always trigger activity_chains_never_emptied;

create table activity_anchors (
  day text constraint activity_anchors_pkey primary key
    constraint activity_anchors_day_form check (day ~ '^\d{4}-\d\d-\d\d$'),
  asked_at timestamptz not null
);
comment on table activity_anchors is 'the days, by UTC, whose ends of chains a job writes out: each once across processes';
