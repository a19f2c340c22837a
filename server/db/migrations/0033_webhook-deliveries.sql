-- Events for webhooks. Each is written in the transaction of the change that it announces.

create table webhook_deliveries (
  id bigint generated always as identity constraint webhook_deliveries_pkey primary key,
  webhook_id bigint not null
    constraint webhook_deliveries_webhook_id_fkey references webhooks on delete cascade,
  message_id uuid not null default gen_random_uuid(),
  event text not null,
  subject text not null,
  lane smallint not null,
  payload jsonb not null,
  status text not null default 'waiting'
    constraint webhook_deliveries_status_known check (status in ('waiting', 'delivered', 'failed')),
  created_at timestamptz not null,
  next_try_at timestamptz not null,
  lease_until timestamptz,
  attempts integer not null default 0,
  first_failed_at timestamptz,
  tried_at timestamptz,
  status_code integer,
  duration_ms integer,
  response text,
  error text
);
create index webhook_deliveries_lane_idx on webhook_deliveries (webhook_id, lane, id) where status = 'waiting';
create index webhook_deliveries_webhook_id_idx on webhook_deliveries (webhook_id, id);
create unique index webhook_deliveries_message_id_idx on webhook_deliveries (message_id);
create index webhook_deliveries_subject_idx on webhook_deliveries (subject);
create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at);
comment on column webhook_deliveries.lane is 'deliveries of one lane go in order; one subject has one lane';
comment on column webhook_deliveries.first_failed_at is 'when the first try failed; three days later the delivery has failed';
comment on column webhook_deliveries.response is 'the first kilobyte of the last answer';

-- Sessions end in many statements and cascades. A person's sessions that end in one statement are one event.
create function announce_ended_sessions() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (webhook_id, event, subject, lane, payload, created_at, next_try_at)
  select webhooks.id, 'sessions.ended', 'user ' || people.user_id, people.user_id % 8,
    jsonb_build_object(
      'type', 'sessions.ended',
      'timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', jsonb_build_object('user_id', people.user_id, 'sub', subjects.subject, 'session_ids', people.session_ids)),
    now(), to_timestamp(0)
  from webhooks
    cross join (select user_id, jsonb_agg(id order by id) as session_ids from ended group by user_id) as people
    left join subjects on subjects.user_id = people.user_id
  where webhooks.org_id is null and webhooks.switched_off_at is null
    and (webhooks.events = '{}' or 'sessions.ended' = any (webhooks.events));
  return null;
end
$$;
create trigger sessions_announced after delete on sessions
  referencing old table as ended for each statement execute function announce_ended_sessions();
