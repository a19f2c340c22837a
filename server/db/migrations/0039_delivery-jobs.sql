-- Deliveries are jobs. Their table keeps the history.

alter table webhook_deliveries add column job_id bigint;
comment on column webhook_deliveries.job_id is 'the job that sends it';
comment on column webhook_deliveries.lease_until is 'until processes that do not know its job may send it: never';

-- A delivery that waits has an open job, due at its next try.
create function queue_delivery() returns trigger language plpgsql as $$
begin
  update jobs set run_at = new.next_try_at, failures = 0
  where id = new.job_id and done_at is null and failed_at is null;
  if not found then
    insert into jobs (kind, payload, lane, created_at, run_at, expires_at)
    values ('webhook', jsonb_build_object('delivery', new.id), 'webhook ' || new.webhook_id || '.' || new.lane,
      new.created_at, new.next_try_at, new.created_at + interval '30 days')
    returning id into new.job_id;
  end if;
  new.lease_until = 'infinity';
  return new;
end
$$;
create trigger webhook_deliveries_queued before insert or update of next_try_at on webhook_deliveries
  for each row when (new.status = 'waiting') execute function queue_delivery();
