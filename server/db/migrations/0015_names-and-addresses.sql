-- An invitation keeps the address that was typed: who has not joined is followed nowhere.

create or replace function users_pass_email_on() returns trigger language plpgsql as $$
begin
  update memberships set email_key = coalesce(new.email, '') where user_id = new.id and status <> 1;
  return null;
end
$$;
create trigger memberships_learn_email before update of status on memberships
  for each row when (old.status = 1 and new.status <> 1) execute function memberships_copy_email();
comment on column memberships.email_key is 'the person''s address, or nothing, and of an invitation the one that was typed; triggers keep it';
