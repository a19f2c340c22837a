-- The audit log: one hash chain for each organization, and one for each person's rows that belong to none.

create table activity_chains (
  chain text constraint activity_chains_pkey primary key,
  length bigint not null,
  head bytea not null
);
comment on column activity_chains.chain is 'org:{id} or user:{id}';
comment on column activity_chains.length is 'rows written so far: a cut tail is seen';

create table activity (
  id bigint generated always as identity constraint activity_pkey primary key,
  chain text not null constraint activity_chain_fkey references activity_chains,
  position bigint not null,
  org_id bigint,
  user_id bigint not null,
  created_at timestamptz not null,
  module smallint not null,
  activity_type smallint not null,
  action smallint not null,
  record_id bigint,
  information jsonb not null,
  information_mac bytea not null,
  mac bytea not null,
  key_id text not null,
  constraint activity_position_key unique (chain, position)
);
create index activity_org_id_idx on activity (org_id, id desc);
create index activity_user_id_idx on activity (user_id, id desc);
comment on column activity.user_id is 'who did it; no foreign key, so that erasing a person never rewrites history';
comment on column activity.information_mac is 'the chain covers this instead of the text, so personal data can be erased and the chain still verifies';
comment on column activity.mac is 'HMAC over the row and the mac before it';

-- The log is only ever added to. Erasing a person may empty the text of a row, nothing else.
create function activity_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.information = '{}'::jsonb
    and (to_jsonb(new) - 'information') = (to_jsonb(old) - 'information') then
    return new;
  end if;
  raise exception 'activity rows are never changed or removed';
end
$$;
create trigger activity_append_only before update or delete on activity
  for each row execute function activity_is_append_only();
