-- Members in any order and by search, links of invitations, and the last Super Admin's backstop.

-- ICU's rules whatever the database's own locale: Ø and И have small letters everywhere.
create function folded(words text) returns text language sql immutable strict parallel safe
return left(btrim(replace(replace(replace(translate(
  regexp_replace(
    regexp_replace(lower(normalize(words, nfkd) collate "und-x-icu"), '[\u0300-\u036f]+', '', 'g'),
    '\s+', ' ', 'g'),
  'øłđðħı', 'olddhi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')), 200);
comment on function folded is 'a name without case, accents and doubled spaces, as it is searched and sorted by; one character may unfold to eighteen, and an index takes no endless ones';

alter table memberships
  add column name_key text collate "C" not null generated always as (folded(first_name || ' ' || last_name)) stored,
  add column last_key text collate "C" not null generated always as (folded(last_name)) stored,
  add column email_key text collate "C" not null default '';
comment on column memberships.name_key is 'first and last name as the list is sorted by them; a prefix of it is one of the first name too';
comment on column memberships.email_key is 'copy of the person''s address, or nothing; triggers keep it';

create function memberships_copy_email() returns trigger language plpgsql as $$
begin
  -- Locked against a change of the address that is under way: its own trigger would not see this row yet.
  new.email_key := coalesce((select email from users where id = new.user_id for key share), '');
  return new;
end
$$;
create trigger memberships_copy_email before insert on memberships
  for each row execute function memberships_copy_email();

create function users_pass_email_on() returns trigger language plpgsql as $$
begin
  update memberships set email_key = coalesce(new.email, '') where user_id = new.id;
  return null;
end
$$;
create trigger users_pass_email_on after update of email on users
  for each row when (old.email is distinct from new.email) execute function users_pass_email_on();

update memberships set email_key = coalesce(users.email, '') from users where users.id = memberships.user_id;

create index memberships_in_order_idx on memberships (org_id, id);
create index memberships_name_idx on memberships (org_id, name_key, id);
create index memberships_last_name_idx on memberships (org_id, last_key);
create index memberships_email_idx on memberships (org_id, email_key, id);
create index memberships_status_idx on memberships (org_id, status, id);
-- The sum keeps the planner from walking all members by id in search of those with a rare role.
create index memberships_role_idx on memberships (role_id, (id + 0));
drop index memberships_role_id_idx;

alter table one_time_tokens drop constraint one_time_tokens_purpose_known;
alter table one_time_tokens add constraint one_time_tokens_purpose_known
  check (purpose in ('verify-email', 'set-password', 'reset-password', 'not-me', 'invitation'));
alter table one_time_tokens
  add column member_id bigint constraint one_time_tokens_member_fkey references memberships on delete cascade,
  add constraint one_time_tokens_invitation check ((purpose = 'invitation') = (member_id is not null));
create index one_time_tokens_member_id_idx on one_time_tokens (member_id);
comment on column one_time_tokens.member_id is 'the invitation that the link is for; it goes with it';

-- Every path asks before it takes a Super Admin away; this catches one that forgot. It speaks up where somebody is left
-- who would be without one: not when an organization goes as a whole, nor when its only person pauses or goes. Whom
-- the organization has disabled does not count, since nobody has to be handed anything for them.
create function memberships_keep_a_super_admin() returns trigger language plpgsql as $$
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
    ) then
    raise exception 'organization % would be left without an active Super Admin', old.org_id
      using errcode = 'check_violation', constraint = 'memberships_super_admin', table = 'memberships';
  end if;
  return null;
end
$$;
create constraint trigger memberships_super_admin after update or delete on memberships
  deferrable initially deferred for each row when (old.status = 2)
  execute function memberships_keep_a_super_admin();
