-- A member whose new role may not enter an application leaves it, and it learns so in the same transaction.

create function tell_applications_of_role() returns trigger language plpgsql as $$
begin
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
create trigger memberships_role_told_applications after update of role_id on memberships
  for each row when (old.role_id <> new.role_id) execute function tell_applications_of_role();
