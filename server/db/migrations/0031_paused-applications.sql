-- A paused application loses its tokens for good. What people allowed it stays.

create or replace function tell_application_of_its_end() returns trigger language plpgsql as $$
begin
  -- A request that is writing a token holds the row. Wait for it, so that its token is deleted, too.
  perform from applications where id = old.id for update;
  -- A session that ends locks its records before its sign-ins. This order prevents a deadlock with it.
  delete from provider_records where application_id = old.id;
  with ended as (
    delete from application_sign_ins where application_id = old.id returning sid, subject
  )
  insert into jobs (kind, payload, lane, created_at, run_at)
  select 'sign-out', jsonb_build_object('application', old.id, 'sid', ended.sid, 'subject', ended.subject),
    'sign-out ' || old.id, now(), to_timestamp(0)
  from ended where old.sign_out_url is not null;
  if tg_op = 'UPDATE' then
    return new;
  end if;
  -- Notices outlive the row, so they hold it.
  update jobs set payload = payload || jsonb_build_object('removed', to_jsonb(old))
  where lane = 'sign-out ' || old.id and kind = 'sign-out';
  return old;
end
$$;
