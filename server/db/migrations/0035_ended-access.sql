-- A membership that ends, or a role that may not enter, ends the access to applications. Its tokens stay dead, also if
-- the member returns.

create or replace function tell_applications_of_membership() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.status = 2 or old.status <> 2) then
    return null;
  end if;
  -- A request that is writing a token locks the grant. A later one finds none, so its token is refused.
  delete from application_grants where user_id = old.user_id and org_id = old.org_id;
  with ended as (
    delete from application_sign_ins
    where user_id = old.user_id and org_id = old.org_id
    returning *
  )
  insert into jobs (kind, payload, lane, created_at, run_at)
  select 'sign-out', jsonb_build_object('application', ended.application_id, 'sid', ended.sid, 'subject', ended.subject),
    'sign-out ' || ended.application_id, now(), to_timestamp(0)
  from ended join applications on applications.id = ended.application_id
  where applications.sign_out_url is not null;
  return null;
end
$$;

create or replace function tell_applications_of_role() returns trigger language plpgsql as $$
begin
  delete from application_grants using applications
  where application_grants.user_id = new.user_id and application_grants.org_id = new.org_id
    and applications.id = application_grants.application_id and not applications.is_for_everyone
    and not exists (select from application_roles
      where application_roles.application_id = applications.id and application_roles.role_id = new.role_id);
  with ended as (
    delete from application_sign_ins using applications
    where application_sign_ins.user_id = new.user_id and application_sign_ins.org_id = new.org_id
      and applications.id = application_sign_ins.application_id and not applications.is_for_everyone
      and not exists (select from application_roles
        where application_roles.application_id = applications.id and application_roles.role_id = new.role_id)
    returning applications.id, applications.sign_out_url, application_sign_ins.sid, application_sign_ins.subject
  )
  insert into jobs (kind, payload, lane, created_at, run_at)
  select 'sign-out', jsonb_build_object('application', ended.id, 'sid', ended.sid, 'subject', ended.subject),
    'sign-out ' || ended.id, now(), to_timestamp(0)
  from ended where ended.sign_out_url is not null;
  return null;
end
$$;
