-- The whole schema, by feature. SQL of PostgreSQL 15, which PGlite runs too. Later files change it (docs/migrations.md).

-- What the database does by itself, by the names of its triggers:
--
-- * A membership knows its person's address, for search and order: memberships_copy_email copies it to a new one,
--   memberships_learn_email when an invitation is answered, and users_pass_email_on passes a changed address on.
-- * memberships_super_admin refuses, at the commit, to leave people in an organization without an active Super Admin.
-- * memberships_count_joined, memberships_count_gone and memberships_count_changed keep the numbers in member_counts.
-- * memberships_words_joined and memberships_words_changed keep the words in member_search.
-- * activity_append_only, activity_never_emptied, activity_chains_only_grow and activity_chains_never_emptied refuse
--   changes of the log. Only the text of a row may be emptied.
-- * An application loses its access and gets a sign-out notice, as a job: sessions_told_applications when a session
--   ends, memberships_told_applications when a member leaves, pauses or is disabled, memberships_role_told_applications
--   when the new role does not open it, and applications_told_of_pause and applications_told_of_removal when it ends.
-- * webhook_deliveries_queued gives a waiting delivery its job. sessions_announced makes deliveries of ended sessions.

-- 1. Ids and names

-- A random id: a counted one tells how many rows there are and how fast their number grows. 46 random bits, below the
-- stand-ins of invited people (2^48) and safe in JSON. The primary key refuses the rare double.
create function random_id() returns bigint language sql volatile as $$
  select (1::bigint << 46) | (('x' || translate(left(gen_random_uuid()::text, 13), '-', ''))::bit(48)::bigint >> 2)
$$;

-- The form of a language tag, such as "pt-BR".
create function is_language(tag text) returns boolean language sql immutable strict parallel safe
return (tag ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');

-- A name without case, accents, vowel signs and doubled spaces, for search and order. ICU's rules do not depend on the
-- database's locale. One character may become eighteen, and an index takes no endless keys.
create function folded(words text) returns text language sql immutable strict parallel safe
return left(btrim(replace(replace(replace(translate(
  regexp_replace(
    regexp_replace(lower(normalize(words, nfkd) collate "und-x-icu"), '[\u0300-\u036f\u0640\u064b-\u0655\u0670]+', '', 'g'),
    '\s+', ' ', 'g'),
  'øłđðħıىیةکٱ', 'olddhiييهكا'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')), 200);

-- 2. People

create table users (
  id bigint default random_id() constraint users_pkey primary key,
  -- Trimmed, in lower case, with its domain in ASCII. Null for people of a provider that gives none.
  email text constraint users_email_key unique constraint users_email_canonical check (email = lower(email)),
  -- When the newest mail left that proved the mailbox by its link or code.
  confirmed_at timestamptz,
  first_name text not null default '',
  last_name text not null default '',
  designation text not null default '',
  -- Country and time zone are names from the contract's lists.
  country text,
  time_zone text,
  -- Null until the person signs in once in a language.
  language text constraint users_language_form check (is_language(language)),
  -- By hand, in My Profile or at a sign-in. Any other language gives way to such a choice at a sign-in.
  language_chosen boolean not null default false,
  contact_number text not null default '',
  -- The contact number in international form. Null if it is no number of any country.
  phone_e164 text constraint users_phone_e164_form check (phone_e164 ~ '^\+[1-9][0-9]{1,14}$'),
  mfa_enabled boolean not null default false,
  -- Wrong one-time codes in a row, over all challenges.
  wrong_codes smallint not null default 0,
  passkey_offer_declined_at timestamptz,
  created_at timestamptz not null
);

create table passwords (
  user_id bigint constraint passwords_pkey primary key constraint passwords_user_fkey references users on delete cascade,
  -- An argon2id PHC string, sealed by SECRET_KEY for this person. The first four bytes name the key.
  sealed_phc bytea not null,
  changed_at timestamptz not null
);
create index passwords_key_idx on passwords (substr(sealed_phc, 1, 4), user_id);

-- The address that a person wants. It belongs to nobody until its link is opened, so several may wait for one.
create table pending_emails (
  user_id bigint constraint pending_emails_pkey primary key constraint pending_emails_user_fkey references users on delete cascade,
  email text not null constraint pending_emails_canonical check (email = lower(email)),
  created_at timestamptz not null,
  mailed_at timestamptz not null
);

-- The bytes of a picture are in the storage under its random name, so they never change.
create table pictures (
  user_id bigint constraint pictures_pkey primary key constraint pictures_user_fkey references users on delete cascade,
  file_id text not null constraint pictures_file_id_key unique,
  media_type text not null constraint pictures_media_type_known check (media_type in ('image/png', 'image/jpeg')),
  created_at timestamptz not null
);

-- A time in which nobody can sign in to an account.
create table restrictions (
  id bigint generated always as identity constraint restrictions_pkey primary key,
  user_id bigint not null constraint restrictions_user_fkey references users on delete cascade,
  cause text not null constraint restrictions_cause_known check (cause in ('wrong-codes', 'operator')),
  created_at timestamptz not null,
  ends_at timestamptz not null,
  lifted_at timestamptz
);
create index restrictions_user_id_idx on restrictions (user_id, ends_at);

-- A row deactivates the account. Deleting it before due_at restores the account.
create table account_deletions (
  user_id bigint constraint account_deletions_pkey primary key constraint account_deletions_user_fkey references users on delete cascade,
  reason text not null,
  requested_at timestamptz not null,
  due_at timestamptz not null
);
create index account_deletions_due_idx on account_deletions (due_at);

-- The versions of the operator's terms that pages have shown.
create table terms_versions (
  version text constraint terms_versions_pkey primary key,
  shown_at timestamptz not null
);

create table consents (
  user_id bigint not null constraint consents_user_fkey references users on delete cascade,
  version text not null,
  language text not null constraint consents_language_form check (is_language(language)),
  agreed_at timestamptz not null,
  constraint consents_pkey primary key (user_id, version)
);

-- 3. Organizations

create table organizations (
  id bigint default random_id() constraint organizations_pkey primary key,
  name text not null,
  type text not null default 'business',
  -- The first segment of its addresses. contract/pages.ts has the rule.
  url_name text not null constraint organizations_url_name_key unique,
  employee_count integer constraint organizations_employee_count_range check (employee_count between 1 and 100000),
  description text not null default '',
  website text not null default '',
  application_name text not null,
  -- The second step that its members need: none, any, or a strong one (passkey or authenticator app).
  second_step_rule text not null default 'none'
    constraint organizations_second_step_rule_known check (second_step_rule in ('none', 'any', 'strong')),
  second_step_from timestamptz,
  -- Who must come through the company's provider, and from when.
  company_rule text not null default 'nobody'
    constraint organizations_company_rule_known check (company_rule in ('nobody', 'addresses', 'everybody')),
  company_rule_from timestamptz,
  -- For invitations. Null: that of the inviter.
  language text constraint organizations_language_form check (is_language(language)),
  created_by bigint constraint organizations_created_by_fkey references users on delete set null,
  created_at timestamptz not null,
  constraint organizations_second_step_dated check ((second_step_rule = 'none') = (second_step_from is null)),
  constraint organizations_company_rule_dated check ((company_rule = 'nobody') = (company_rule_from is null))
);
create index organizations_created_by_idx on organizations (created_by);

-- Applications know an erased organization by its URL name, so nobody else gets the name for a year. Only its hash is
-- kept, because it may hold a person's name.
create table kept_url_names (
  name_hash bytea constraint kept_url_names_pkey primary key,
  kept_until timestamptz not null
);
create index kept_url_names_kept_until_idx on kept_url_names (kept_until);

-- An icon waits for a day until it is shown.
create table images (
  file_id text constraint images_pkey primary key,
  org_id bigint not null constraint images_org_fkey references organizations on delete cascade,
  icon_type smallint not null constraint images_icon_type_known check (icon_type in (1, 2)),
  media_type text not null constraint images_media_type_known check (media_type in ('image/png', 'image/jpeg')),
  uploaded_by bigint constraint images_uploaded_by_fkey references users on delete set null,
  created_at timestamptz not null,
  shown_at timestamptz
);
create index images_org_id_idx on images (org_id);
create index images_uploaded_by_idx on images (uploaded_by);
create unique index images_one_shown on images (org_id, icon_type) where shown_at is not null;
create index images_waiting_idx on images (created_at) where shown_at is null;

-- 4. Roles

create table roles (
  id bigint generated always as identity constraint roles_pkey primary key,
  org_id bigint not null constraint roles_org_fkey references organizations on delete cascade,
  name text not null,
  -- Folded by case, width and spaces, so that look-alikes are duplicates.
  name_key text not null,
  kind text not null constraint roles_kind_known check (kind in ('super-admin', 'admin', 'custom')),
  is_admin boolean not null constraint roles_built_in_admin check (kind = 'custom' or is_admin),
  created_by bigint constraint roles_created_by_fkey references users on delete set null,
  created_at timestamptz not null,
  constraint roles_org_id_key unique (org_id, id),
  constraint roles_name_key unique (org_id, name_key)
);
create unique index roles_built_in_once on roles (org_id, kind) where kind <> 'custom';
create index roles_created_by_idx on roles (created_by);

-- One row per right of a custom role. Built-in roles hold every right without rows.
create table role_rights (
  org_id bigint not null,
  role_id bigint not null,
  service text not null,
  module smallint not null,
  action text not null constraint role_rights_action_known check (action in ('create', 'read', 'update', 'delete')),
  constraint role_rights_pkey primary key (role_id, service, module, action),
  constraint role_rights_role_fkey foreign key (org_id, role_id) references roles (org_id, id) on delete cascade
);

-- 5. Members

create table memberships (
  id bigint generated always as identity constraint memberships_pkey primary key,
  org_id bigint not null constraint memberships_org_fkey references organizations on delete cascade,
  user_id bigint not null constraint memberships_user_fkey references users on delete cascade,
  role_id bigint not null,
  -- 1 invited, 2 active, 3 inactive, 4 disabled.
  status smallint not null constraint memberships_status_known check (status between 1 and 4),
  -- The organization's own spelling. A person's edit of their profile reaches all of theirs.
  first_name text not null,
  last_name text not null default '',
  designation text not null default '',
  is_default boolean not null default false,
  invited_by bigint constraint memberships_invited_by_fkey references users on delete set null,
  invitation_expires_at timestamptz,
  -- The language of the invitation's mails, if the account has none yet.
  invitation_language text constraint memberships_invitation_language_form check (is_language(invitation_language)),
  -- When a scheduled deletion of the account made it inactive. Restoring the account makes it active again.
  paused_at timestamptz,
  created_at timestamptz not null,
  -- The keys that lists are sorted by.
  name_key text collate "C" not null generated always as (folded(first_name || ' ' || last_name)) stored,
  last_key text collate "C" not null generated always as (folded(last_name)) stored,
  -- The person's address, or of an invitation the one that was typed. Triggers keep it.
  email_key text collate "C" not null default '',
  constraint memberships_user_key unique (org_id, user_id),
  constraint memberships_role_fkey foreign key (org_id, role_id) references roles (org_id, id)
);
create index memberships_user_id_idx on memberships (user_id);
create unique index memberships_one_default on memberships (user_id) where is_default;
create index memberships_invited_by_idx on memberships (invited_by);
create index memberships_in_order_idx on memberships (org_id, id);
create index memberships_name_idx on memberships (org_id, name_key, id);
create index memberships_last_name_idx on memberships (org_id, last_key);
create index memberships_email_idx on memberships (org_id, email_key, id);
create index memberships_status_idx on memberships (org_id, status, id);
-- The sum keeps the planner from walking all members by id in search of those with a rare role.
create index memberships_role_idx on memberships (role_id, (id + 0));

create function memberships_copy_email() returns trigger language plpgsql as $$
begin
  -- The lock waits for a concurrent change of the address, whose own trigger would not see this row yet.
  new.email_key := coalesce((select email from users where id = new.user_id for key share), '');
  return new;
end
$$;
create trigger memberships_copy_email before insert on memberships
  for each row execute function memberships_copy_email();
create trigger memberships_learn_email before update of status on memberships
  for each row when (old.status = 1 and new.status <> 1) execute function memberships_copy_email();

create function users_pass_email_on() returns trigger language plpgsql as $$
begin
  update memberships set email_key = coalesce(new.email, '') where user_id = new.id and status <> 1;
  return null;
end
$$;
create trigger users_pass_email_on after update of email on users
  for each row when (old.email is distinct from new.email) execute function users_pass_email_on();

-- Every action checks this before it takes a Super Admin away. The trigger catches an action that forgot. It lets an
-- organization go as a whole, and its only person pause or leave. Disabled members do not count as people who stay,
-- and people whose account is going to be deleted do not count as Super Admins.
create function memberships_keep_a_super_admin() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.status = 2 and new.role_id = old.role_id then
    return null;
  end if;
  if not exists (select from roles where id = old.role_id and kind = 'super-admin') then
    return null;
  end if;
  -- The second of two concurrent changes waits here and then sees the first one.
  perform from organizations where id = old.org_id for no key update;
  if exists (select from memberships where org_id = old.org_id and user_id <> old.user_id and status <> 4)
    and not exists (
      select from memberships join roles on roles.id = memberships.role_id
      where memberships.org_id = old.org_id and memberships.status = 2 and roles.kind = 'super-admin'
        and not exists (select from account_deletions where account_deletions.user_id = memberships.user_id)
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

-- The number of members by role and status, so that nobody counts them. Triggers keep it.
create table member_counts (
  org_id bigint not null,
  role_id bigint not null,
  status smallint not null,
  members integer not null constraint member_counts_not_negative check (members >= 0),
  constraint member_counts_pkey primary key (role_id, status),
  constraint member_counts_role_fkey foreign key (org_id, role_id) references roles (org_id, id) on delete cascade
);
create index member_counts_org_id_idx on member_counts (org_id);

create function count_members(org bigint, role bigint, of_status smallint, more bigint) returns void language plpgsql as $$
begin
  update member_counts set members = members + more where role_id = role and status = of_status;
  -- A count that is missing needs no decrease: its role has gone with its organization.
  if not found and more > 0 then
    insert into member_counts (org_id, role_id, status, members) values (org, role, of_status, more)
    on conflict on constraint member_counts_pkey do update set members = member_counts.members + excluded.members;
  end if;
end
$$;

-- Once per statement and in one order, so that two statements cannot deadlock.
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

-- Members are found by any word of their name and any part of their address. This gives everything from the start of
-- each word to its end, so a search is a prefix of it. The organization stands in front, so others cost nothing.
create function member_words(org bigint, name text, address text) returns tsvector language sql immutable strict parallel safe
return (
  select array_to_tsvector(coalesce(array_agg(org::text || ' ' || substr(word, at)), '{}'))
  from string_to_table(translate(name, '’‘ʼ,;()<>"', '''''''       ') || ' ' || address, ' ') as word,
    generate_series(1, length(word)) as at
  where at = 1 or substr(word, at, 1) = '@' or (strpos('.-_+@''‐–/&·・', substr(word, at - 1, 1)) > 0
    and strpos('.-_+@''‐–/&·・', substr(word, at, 1)) = 0)
);

-- Finds the members for whom each of these words begins something.
create function member_query(org bigint, search text) returns tsquery language sql immutable strict parallel safe
return (
  select coalesce(string_agg('''' || org::text || ' ' || replace(replace(
    coalesce(nullif(ltrim(word, '.-_+''‐–/&·・'), ''), word), '\', '\\'), '''', '''''') || ''':*', '&'), '')::tsquery
  from string_to_table(folded(translate(search, '’‘ʼ,;()<>"', '''''''       ')), ' ') as word where word <> ''
);

create table member_search (
  member_id bigint constraint member_search_pkey primary key
    constraint member_search_member_fkey references memberships on delete cascade,
  words tsvector not null
);
-- Without fastupdate, because each search would read all entries that wait to be sorted in.
create index member_search_words_idx on member_search using gin (words) with (fastupdate = off);

create function memberships_keep_words() returns trigger language plpgsql as $$
begin
  insert into member_search (member_id, words) values (new.id, member_words(new.org_id, new.name_key, new.email_key))
  on conflict on constraint member_search_pkey do update set words = excluded.words;
  return null;
end
$$;
-- The operator finds people by their names alone.
create index users_words_idx on users using gin (member_words(0, folded(first_name || ' ' || last_name), ''));
create trigger memberships_words_joined after insert on memberships
  for each row execute function memberships_keep_words();
create trigger memberships_words_changed after update on memberships for each row
  when ((old.first_name, old.last_name, old.email_key) is distinct from (new.first_name, new.last_name, new.email_key))
  execute function memberships_keep_words();

-- 6. Signing in

-- Browsers in which a person signed in before. A known browser opens nothing.
create table known_devices (
  token_hash bytea not null,
  user_id bigint not null constraint known_devices_user_fkey references users on delete cascade,
  last_seen_at timestamptz not null,
  constraint known_devices_pkey primary key (token_hash, user_id)
);
create index known_devices_user_id_idx on known_devices (user_id);
create index known_devices_last_seen_at_idx on known_devices (last_seen_at);

create table sessions (
  id bigint default random_id() constraint sessions_pkey primary key,
  user_id bigint not null constraint sessions_user_fkey references users on delete cascade,
  -- SHA-256 of the cookie. The cookie itself is never stored.
  token_hash bytea not null constraint sessions_token_hash_key unique,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- The last proof of identity in this session.
  authenticated_at timestamptz not null,
  ip_address text not null,
  user_agent text not null,
  location text not null default 'Unknown',
  -- The known browser of the session, forgotten with it when somebody removes the device.
  device_hash bytea,
  -- The proofs of the session (RFC 8176).
  methods text[] not null default '{}',
  -- The strongest second step that was proven in the session.
  second_step text constraint sessions_second_step_known
    check (second_step in ('mail', 'app', 'passkey', 'recovery', 'provider')),
  -- How far the account itself is proven. After a visit, a company's provider vouches for its organization only.
  -- `first`: one of two proofs that two-step sign-in asks for.
  proven text not null default 'account' constraint sessions_proven_known check (proven in ('company', 'first', 'account')),
  -- The organizations that the session entered through their provider, and those for which it gave a second step.
  entered bigint[] not null default '{}',
  entered_with_step bigint[] not null default '{}',
  constraint sessions_device_fkey foreign key (device_hash, user_id) references known_devices (token_hash, user_id)
    on update cascade on delete set null (device_hash)
) with (fillfactor = 90);
-- last_seen_at changes every minute. No index has it and each page has room, so such a change writes one page only.
create index sessions_user_id_idx on sessions (user_id);

-- People who work at the operator's desk.
create table operators (
  user_id bigint constraint operators_pkey primary key constraint operators_user_fkey references users on delete cascade,
  level text not null constraint operators_level_known check (level in ('support', 'full')),
  named_at timestamptz not null
);
-- An operator's stay at the desk. It ends with the portal's session, and with the level.
create table desk_sessions (
  session_id bigint constraint desk_sessions_pkey primary key
    constraint desk_sessions_session_fkey references sessions on delete cascade,
  operator_id bigint not null constraint desk_sessions_operator_fkey references operators on delete cascade,
  opened_at timestamptz not null,
  seen_at timestamptz not null,
  -- The last passkey or code of an app that was shown here.
  proven_at timestamptz not null
);
create index desk_sessions_operator_id_idx on desk_sessions (operator_id);
-- Acts at the desk that wait for a second operator.
create table desk_requests (
  id bigint default random_id() constraint desk_requests_pkey primary key,
  act text not null,
  input jsonb not null,
  person_id bigint constraint desk_requests_person_fkey references users on delete cascade,
  asked_by bigint not null constraint desk_requests_asker_fkey references operators on delete cascade,
  asked_at timestamptz not null,
  -- When it happens by itself; null: never.
  due_at timestamptz,
  constraint desk_requests_person_key unique (person_id, act)
);
create index desk_requests_asked_by_idx on desk_requests (asked_by);

create table one_time_tokens (
  id bigint generated always as identity constraint one_time_tokens_pkey primary key,
  purpose text not null constraint one_time_tokens_purpose_known check (purpose in (
    'verify-email', 'set-password', 'reset-password', 'not-me', 'restore-account', 'invitation',
    'change-email', 'restore-email'
  )),
  user_id bigint not null constraint one_time_tokens_user_fkey references users on delete cascade,
  -- What it proves, such as an address. It serves for no other.
  subject text not null,
  token_hash bytea not null constraint one_time_tokens_token_hash_key unique,
  -- The invitation that the link is for.
  member_id bigint constraint one_time_tokens_member_fkey references memberships on delete cascade,
  -- The network whose budget a mailed link counts against until it is used.
  asked_from text,
  tries smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the link was mailed that handed this one on. Null if this one was mailed itself.
  proven_at timestamptz,
  -- When it was used or replaced.
  used_at timestamptz,
  constraint one_time_tokens_invitation check ((purpose = 'invitation') = (member_id is not null))
);
create index one_time_tokens_user_id_idx on one_time_tokens (user_id, purpose, created_at);
create index one_time_tokens_member_id_idx on one_time_tokens (member_id);
create index one_time_tokens_ended_idx on one_time_tokens (least(expires_at, used_at));

-- A mailed code, after a first proof of a sign-in (token_hash) or for a proof in a session (session_id).
create table challenges (
  id bigint generated always as identity constraint challenges_pkey primary key,
  user_id bigint not null constraint challenges_user_fkey references users on delete cascade,
  session_id bigint constraint challenges_session_fkey references sessions on delete cascade,
  token_hash bytea constraint challenges_token_hash_key unique,
  -- A keyed hash of the digits, bound to this row.
  code_hash bytea not null,
  -- The proof that came before the code of a sign-in.
  method text,
  tries smallint not null default 0,
  mails smallint not null default 1,
  created_at timestamptz not null,
  mailed_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint challenges_one_door check ((token_hash is null) <> (session_id is null))
);
create index challenges_user_id_idx on challenges (user_id);
create unique index challenges_session_id_key on challenges (session_id);
create index challenges_expires_at_idx on challenges (expires_at);

-- The key names the bucket and what it counts by. People and addresses are hashed.
create table rate_limits (
  key text constraint rate_limits_pkey primary key,
  count integer not null,
  resets_at timestamptz not null,
  blocked_until timestamptz not null
);
create index rate_limits_resets_at_idx on rate_limits (resets_at);

-- What each process runs and shows, which it tells every minute, for the operator.
create table processes (
  name text constraint processes_pkey primary key,
  release text not null,
  brand text not null,
  changed_at timestamptz not null,
  storage_problem text,
  storage_failing_since timestamptz,
  expires_at timestamptz not null,
  constraint processes_storage_form check ((storage_problem is null) = (storage_failing_since is null))
);
create index processes_expires_at_idx on processes (expires_at);

-- Browsers that have to wait after wrong passwords, for the operator. A person without an account may have typed the address.
create table sign_in_waits (
  -- Its key in rate_limits, or in Redis.
  counter text constraint sign_in_waits_pkey primary key,
  address_hash bytea not null,
  network text not null,
  since timestamptz not null,
  waits_until timestamptz,
  expires_at timestamptz not null
);
create index sign_in_waits_address_hash_idx on sign_in_waits (address_hash);
create index sign_in_waits_expires_at_idx on sign_in_waits (expires_at);

-- Codes that an application redeems after the older redirect. They end with their session.
create table redirect_codes (
  code_hash bytea constraint redirect_codes_pkey primary key,
  user_id bigint not null constraint redirect_codes_user_fkey references users on delete cascade,
  org_id bigint constraint redirect_codes_org_fkey references organizations on delete cascade,
  session_id bigint constraint redirect_codes_session_fkey references sessions on delete cascade,
  redirect_url text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index redirect_codes_user_id_idx on redirect_codes (user_id);
create index redirect_codes_org_id_idx on redirect_codes (org_id);
create index redirect_codes_session_id_idx on redirect_codes (session_id);
create index redirect_codes_expires_at_idx on redirect_codes (expires_at);

-- Accounts at other providers that sign a person in, by the provider's own id of the person. Never found by address.
create table social_identities (
  provider text not null constraint social_identities_provider_known check (provider in ('facebook', 'google')),
  subject text not null,
  user_id bigint not null constraint social_identities_user_fkey references users on delete cascade,
  created_at timestamptz not null,
  constraint social_identities_pkey primary key (provider, subject)
);
create index social_identities_user_id_idx on social_identities (user_id);

-- People on their way to a provider and back.
create table social_visits (
  -- SHA-256 of the state parameter. PKCE verifier and nonce are derived from the state and SECRET_KEY.
  state_hash bytea constraint social_visits_pkey primary key,
  -- SHA-256 of the cookie of the browser that left.
  browser_hash bytea not null,
  provider text not null,
  -- The session that links the identity. Null for a sign-in.
  session_id bigint constraint social_visits_session_fkey references sessions on delete cascade,
  -- That the page showed.
  terms_version text,
  -- The identity that came back to a session, and its name there. It waits until the person links it.
  subject text,
  said text,
  expires_at timestamptz not null
);
create index social_visits_session_id_idx on social_visits (session_id);
create index social_visits_expires_at_idx on social_visits (expires_at);

-- 7. Passkeys and second steps

-- The random name of a person that their passkeys hold (WebAuthn user handle).
create table passkey_owners (
  user_id bigint constraint passkey_owners_pkey primary key
    constraint passkey_owners_user_id_fkey references users on delete cascade,
  handle bytea not null constraint passkey_owners_handle_key unique
);

create table passkeys (
  credential_id bytea constraint passkeys_pkey primary key,
  user_id bigint not null constraint passkeys_user_id_fkey references users on delete cascade,
  public_key bytea not null,
  sign_count bigint not null,
  -- The kind of authenticator as it reports itself. Zeros if it does not tell.
  aaguid uuid not null,
  name text constraint passkeys_name_filled check (name <> ''),
  transports text[] not null,
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user_id_idx on passkeys (user_id);

-- Answered challenges until they expire, so that each serves once.
create table passkey_challenges (
  hash bytea constraint passkey_challenges_pkey primary key,
  expires_at timestamptz not null
);
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);

create table authenticator_apps (
  user_id bigint constraint authenticator_apps_pkey primary key
    constraint authenticator_apps_user_id_fkey references users on delete cascade,
  -- Sealed by SECRET_KEY for this person.
  secret bytea not null,
  -- The time step of the last code, so that each code serves once (RFC 6238 5.2).
  last_step bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index authenticator_apps_key_idx on authenticator_apps (substr(secret, 1, 4), user_id);

create table recovery_codes (
  user_id bigint not null constraint recovery_codes_user_id_fkey references users on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (user_id, code_hash)
);

-- Browsers in which a person need not give a second step again.
create table remembered_browsers (
  id uuid constraint remembered_browsers_pkey primary key default gen_random_uuid(),
  user_id bigint not null,
  device_hash bytea not null,
  second_step text not null
    constraint remembered_browsers_second_step_known check (second_step in ('mail', 'app', 'recovery')),
  ip_address text not null,
  user_agent text not null,
  location text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A browser that is forgotten is not remembered either, and its row follows the browser's new cookie.
  constraint remembered_browsers_device_fkey foreign key (device_hash, user_id)
    references known_devices (token_hash, user_id) on update cascade on delete cascade,
  constraint remembered_browsers_device_key unique (user_id, device_hash)
);
create index remembered_browsers_expires_at_idx on remembered_browsers (expires_at);

-- 8. Mails and notifications

-- No row means that the person did not ask for mails of the type. The contract lists the types.
create table email_preferences (
  user_id bigint not null constraint email_preferences_user_fkey references users on delete cascade,
  type smallint not null,
  wanted boolean not null,
  constraint email_preferences_pkey primary key (user_id, type)
);

-- The contract lists the kinds.
create table notifications (
  id bigint generated always as identity constraint notifications_pkey primary key,
  user_id bigint not null constraint notifications_user_fkey references users on delete cascade,
  kind text not null,
  -- The names in its text, as they were then.
  details jsonb not null,
  -- Where it leads, for people who still belong there.
  org_id bigint constraint notifications_org_fkey references organizations on delete cascade,
  -- The invitation that it tells of.
  member_id bigint constraint notifications_member_fkey references memberships on delete cascade,
  -- Another person whom it names.
  about_id bigint constraint notifications_about_fkey references users on delete cascade,
  created_at timestamptz not null,
  read_at timestamptz,
  constraint notifications_invitation check ((kind = 'invitation') = (member_id is not null))
);
create index notifications_user_id_idx on notifications (user_id, id desc);
create index notifications_about_id_idx on notifications (about_id);
create index notifications_org_id_idx on notifications (org_id);
create unique index notifications_member_id_key on notifications (member_id);
create index notifications_created_at_idx on notifications (created_at);

-- 9. Activity log: a hash chain for each organization (org:12), and for each person's rows that belong to none (user:12)

create table activity_chains (
  chain text constraint activity_chains_pkey primary key,
  -- The number of rows, so that a cut tail shows.
  length bigint not null,
  head bytea not null
);

create table activity (
  id bigint generated always as identity constraint activity_pkey primary key,
  chain text not null constraint activity_chain_fkey references activity_chains,
  position bigint not null,
  org_id bigint,
  -- Who did it. No foreign key, because erasing a person never rewrites history.
  user_id bigint not null,
  created_at timestamptz not null,
  module smallint not null,
  activity_type smallint not null,
  action smallint not null,
  record_id bigint,
  information jsonb not null,
  -- The chain covers this instead of the text, so the chain still verifies after the text was erased.
  information_mac bytea not null,
  -- HMAC over the row and the mac before it.
  mac bytea not null,
  key_id text not null,
  constraint activity_position_key unique (chain, position)
);
-- Newest first from any point. A filter seeks each kind of rows in turn, so three old rows among millions are found at
-- once. The indexes are partial, because sorting by IS NULL needs an index of its own.
create index activity_org_idx on activity (org_id, created_at desc, id desc) where org_id is not null;
create index activity_org_kind_idx on activity
  (org_id, module, activity_type, action, created_at desc, id desc) where org_id is not null;
create index activity_member_idx on activity (org_id, user_id, created_at desc, id desc) where org_id is not null;
create index activity_member_kind_idx on activity
  (org_id, user_id, module, activity_type, action, created_at desc, id desc) where org_id is not null;
create index activity_person_idx on activity (user_id, created_at desc, id desc) where org_id is null;
create index activity_person_kind_idx on activity
  (user_id, module, activity_type, action, created_at desc, id desc) where org_id is null;
-- Rows whose record is a person: profile, contact, membership, answer to an invitation.
create index activity_about_person_idx on activity (record_id, id) where activity_type in (1, 2, 8, 15, 29);
-- Addresses that accounts proved and left.
create index activity_former_address_idx on activity ((information->'email'->>0))
  where org_id is null and activity_type = 2 and action = 6;

-- Rows are only added. Erasing a person may empty the text of a row, nothing else.
create function activity_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.information = '{}'::jsonb
    and (to_jsonb(new) - 'information') = (to_jsonb(old) - 'information') then
    return new;
  end if;
  raise exception 'activity rows are never changed or removed';
end
$$;
create function activity_chain_only_grows() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.chain = old.chain and new.length = old.length + 1 then
    return new;
  end if;
  raise exception 'activity chains only grow, by one row at a time';
end
$$;
-- Truncating fires no row trigger, and a replica's session fires only triggers that are always enabled.
create trigger activity_append_only before update or delete on activity
  for each row execute function activity_is_append_only();
create trigger activity_never_emptied before truncate on activity
  for each statement execute function activity_is_append_only();
create trigger activity_chains_only_grow before update or delete on activity_chains
  for each row execute function activity_chain_only_grows();
create trigger activity_chains_never_emptied before truncate on activity_chains
  for each statement execute function activity_chain_only_grows();
alter table activity enable always trigger activity_append_only;
alter table activity enable always trigger activity_never_emptied;
alter table activity_chains enable always trigger activity_chains_only_grow;
alter table activity_chains enable always trigger activity_chains_never_emptied;

-- The client of an act. It stands beside the chain, because fewer people may see it and it is erased with the person.
-- No foreign key to the row, which is never removed.
create table activity_origins (
  activity_id bigint constraint activity_origins_pkey primary key,
  user_id bigint not null constraint activity_origins_user_fkey references users on delete cascade,
  ip_address text not null,
  browser text not null,
  system text not null,
  location text not null
);
create index activity_origins_user_id_idx on activity_origins (user_id);

-- The days, by UTC, whose ends of chains a job writes out, each once across processes.
create table activity_anchors (
  day text constraint activity_anchors_pkey primary key
    constraint activity_anchors_day_form check (day ~ '^\d{4}-\d\d-\d\d$'),
  asked_at timestamptz not null
);

-- 10. Jobs, such as mails: written in the transaction of their cause, done after its commit

create table jobs (
  id bigint generated always as identity constraint jobs_pkey primary key,
  kind text not null,
  payload jsonb not null,
  -- Jobs of one lane run in order. Empty once the job is over, because a lane may name an address.
  lane text,
  -- The person it is for. It is deleted with them. Null if it is for nobody or asks for an address.
  user_id bigint,
  -- Which mail it is, without names. It stays when the mail is sent.
  letter text,
  created_at timestamptz not null,
  run_at timestamptz not null,
  expires_at timestamptz,
  -- How often a process took it. A process that was overtaken holds an older number.
  attempts smallint not null default 0,
  -- How often it failed by itself, neither with its process nor while its other side was away.
  failures smallint not null default 0,
  -- How often its process ended during it. It then runs alone, and the third time is the last.
  lost smallint not null default 0,
  -- Until then a process works on it. Afterwards another one takes over.
  lease_until timestamptz,
  last_error text,
  -- Its first failure. Tries move run_at, so that does not say how long it waits.
  failing_since timestamptz,
  done_at timestamptz,
  -- When it was given up, for the reason in last_error.
  failed_at timestamptz,
  constraint jobs_lane_open check (lane is null or (done_at is null and failed_at is null))
);
-- Claims must be fast without statistics, which the embedded database never has and a burst outruns. So each index has
-- the order of its claim.
create index jobs_due_idx on jobs (run_at, id) where done_at is null and failed_at is null;
create index jobs_lane_idx on jobs (lane, id) where lane is not null;
-- Kinds whose lanes take turns: a claim steps from lane to lane, however long each is.
create index jobs_turns_idx on jobs (kind, lane, run_at, id) where lane is not null;
create index jobs_user_id_idx on jobs (user_id) where user_id is not null;
create index jobs_lost_idx on jobs (run_at) where lost > 0 and done_at is null and failed_at is null;
create index jobs_lease_idx on jobs (lease_until) where lease_until is not null;
create index jobs_expires_idx on jobs (expires_at) where done_at is null and failed_at is null;
create index jobs_done_idx on jobs (done_at) where done_at is not null;
create index jobs_failed_idx on jobs (failed_at) where failed_at is not null;

-- What no process may do before a time: the hourly sweep, and jobs of a kind whose other side is away.
create table job_turns (
  name text constraint job_turns_pkey primary key,
  next_at timestamptz not null,
  -- How often in a row the other side was away.
  misses smallint not null default 0
);

-- 11. Applications and the OpenID provider

-- The name of a person towards applications: random, never reused, made at the first visit.
create table subjects (
  user_id bigint constraint subjects_pkey primary key
    constraint subjects_user_id_fkey references users on delete cascade,
  subject uuid not null default gen_random_uuid() constraint subjects_subject_key unique
);

-- Addresses are exact, as contract/applications/registration.ts describes them.
create function is_exact_address(address text) returns boolean language sql immutable as $$
  select length(address) <= 500 and address ~ (
    '^(https://([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))'
    '(:[0-9]{1,5})?([/?][A-Za-z0-9!$%&''()+,./:;=?@[\]_~-]*)?$')
$$;
-- The body is bound when it is made, because a restored dump has no search path.
create function are_exact_addresses(list text[]) returns boolean language sql immutable return (
  select count(*) <= 20 and count(*) = count(distinct address) and coalesce(bool_and(is_exact_address(address)), true)
  from unnest(list) as address
);

create table applications (
  id bigint default random_id() constraint applications_pkey primary key,
  client_id text not null constraint applications_client_id_key unique,
  -- The organization whose own application it is. Null: the suite's, registered by the operator.
  org_id bigint constraint applications_org_id_fkey references organizations on delete cascade,
  name text not null constraint applications_name_filled check (name <> ''),
  description text not null default '',
  kind text not null constraint applications_kind_known check (kind in ('web', 'single-page', 'native', 'server')),
  is_first_party boolean not null default false,
  start_url text constraint applications_start_url_exact check (is_exact_address(start_url)),
  redirect_urls text[] not null default '{}'
    constraint applications_redirect_urls_exact check (are_exact_addresses(redirect_urls)),
  signed_out_urls text[] not null default '{}'
    constraint applications_signed_out_urls_exact check (are_exact_addresses(signed_out_urls)),
  -- Where its server receives logout tokens (OpenID Connect Back-Channel Logout 1.0).
  sign_out_url text,
  signing_algorithm text not null default 'ES256'
    constraint applications_signing_algorithm_known check (signing_algorithm in ('ES256', 'RS256')),
  -- The JWK Set of its private_key_jwt. Null: it has a secret or is public.
  public_keys jsonb,
  apis text[] not null default '{}',
  requires_par boolean not null default false,
  requires_dpop boolean not null default false,
  -- False only for web applications whose library cannot do PKCE.
  requires_pkce boolean not null default true,
  -- Whether every role of an organization may enter, or those of application_roles.
  is_for_everyone boolean not null default true,
  -- Null: everybody with an account may enter. 0: members of any organization. Else: members of this one, and nobody
  -- after its end.
  members_of bigint,
  paused_at timestamptz,
  created_by bigint constraint applications_created_by_fkey references users on delete set null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint applications_first_party_of_suite check (not (is_first_party and org_id is not null)),
  constraint applications_pkce_of_people check (requires_pkce or kind = 'web'),
  constraint applications_sign_out_url_public
    check (org_id is null or sign_out_url ~ '^https://([A-Za-z0-9-]+\.)+[A-Za-z][A-Za-z0-9-]*(:[0-9]+)?([/?]|$)')
);
create index applications_org_id_idx on applications (org_id);
create index applications_created_by_idx on applications (created_by);

create table application_secrets (
  id bigint generated always as identity constraint application_secrets_pkey primary key,
  application_id bigint not null
    constraint application_secrets_application_id_fkey references applications on delete cascade,
  secret_hash bytea not null,
  created_at timestamptz not null,
  ends_at timestamptz
);
create index application_secrets_application_id_idx on application_secrets (application_id);

create table application_icons (
  application_id bigint constraint application_icons_pkey primary key
    constraint application_icons_application_id_fkey references applications on delete cascade,
  file_id text not null constraint application_icons_file_id_key unique,
  media_type text not null
    constraint application_icons_media_type_known check (media_type in ('image/png', 'image/jpeg')),
  created_at timestamptz not null
);

-- The roles whose members may enter, unless the application is for everyone.
create table application_roles (
  application_id bigint not null
    constraint application_roles_application_id_fkey references applications on delete cascade,
  role_id bigint not null constraint application_roles_role_id_fkey references roles on delete cascade,
  constraint application_roles_pkey primary key (application_id, role_id)
);
create index application_roles_role_id_idx on application_roles (role_id);

-- What a person let an application learn and do, per organization. Deleting the row ends its tokens.
create table application_grants (
  id bigint generated always as identity constraint application_grants_pkey primary key,
  user_id bigint not null constraint application_grants_user_id_fkey references users on delete cascade,
  application_id bigint not null
    constraint application_grants_application_id_fkey references applications on delete cascade,
  org_id bigint constraint application_grants_org_id_fkey references organizations on delete cascade,
  scopes text[] not null,
  -- The organization that the person chose for this application for good.
  is_remembered boolean not null default false,
  consented_at timestamptz,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create unique index application_grants_person_idx on application_grants (user_id, application_id, coalesce(org_id, 0));
create index application_grants_user_id_idx on application_grants (user_id);
create index application_grants_application_id_idx on application_grants (application_id);
create index application_grants_org_id_idx on application_grants (org_id);

-- The provider's codes, tokens and open requests, by the hash of each credential.
create table provider_records (
  kind text not null,
  id_hash bytea not null,
  application_id bigint
    constraint provider_records_application_id_fkey references applications on delete cascade,
  -- The session that it ends with. Null with offline_access.
  session_id bigint constraint provider_records_session_id_fkey references sessions on delete cascade,
  grant_id bigint constraint provider_records_grant_id_fkey references application_grants on delete cascade,
  -- Everything that came of one authorization, which ends together.
  family text,
  payload jsonb not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  constraint provider_records_pkey primary key (id_hash, kind)
);
create index provider_records_application_id_idx on provider_records (application_id);
create index provider_records_session_id_idx on provider_records (session_id);
create index provider_records_grant_id_idx on provider_records (grant_id);
create index provider_records_family_idx on provider_records (family) where family is not null;
create index provider_records_expires_at_idx on provider_records (expires_at);

-- The applications that a session has entered. Rows outlive tokens and session until the applications are told.
create table application_sign_ins (
  session_id bigint not null,
  application_id bigint not null
    constraint application_sign_ins_application_id_fkey references applications on delete cascade,
  user_id bigint not null,
  org_id bigint,
  sid text not null,
  subject text not null,
  signed_in_at timestamptz not null,
  constraint application_sign_ins_pkey primary key (session_id, application_id)
);
create index application_sign_ins_application_id_idx on application_sign_ins (application_id);
create index application_sign_ins_user_id_idx on application_sign_ins (user_id);

create table signing_keys (
  kid text constraint signing_keys_pkey primary key,
  algorithm text not null constraint signing_keys_algorithm_known check (algorithm in ('ES256', 'RS256')),
  -- The private JWK, sealed by SECRET_KEY.
  sealed_key bytea not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  -- When it leaves the published set. Null for the newest.
  retires_at timestamptz
);

-- Whatever ends a session, a membership, a role's access or an application tells the applications by a job, in the
-- same transaction.
create function tell_applications_of_session() returns trigger language plpgsql as $$
begin
  with told as (
    delete from application_sign_ins using ended
    where application_sign_ins.session_id = ended.id
    returning application_sign_ins.*
  )
  insert into jobs (kind, payload, lane, created_at, run_at)
  select 'sign-out', jsonb_build_object('application', told.application_id, 'sid', told.sid, 'subject', told.subject),
    'sign-out ' || told.application_id, now(), to_timestamp(0)
  from told join applications on applications.id = told.application_id
  where applications.sign_out_url is not null;
  return null;
end
$$;
create trigger sessions_told_applications after delete on sessions
  referencing old table as ended for each statement execute function tell_applications_of_session();

create function tell_applications_of_membership() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.status = 2 or old.status <> 2) then
    return null;
  end if;
  -- A request that is writing a token locks the grant. A later one finds none, so its token is refused, also if the
  -- member returns.
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
create trigger memberships_told_applications after delete or update of status on memberships
  for each row execute function tell_applications_of_membership();

create function tell_applications_of_role() returns trigger language plpgsql as $$
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
create trigger memberships_role_told_applications after update of role_id on memberships
  for each row when (old.role_id <> new.role_id) execute function tell_applications_of_role();

-- A paused application loses its tokens for good. What people allowed it stays.
create function tell_application_of_its_end() returns trigger language plpgsql as $$
begin
  -- A request that is writing a token holds the row. Wait for it, so that its token is deleted, too.
  perform from applications where id = old.id for update;
  -- What ends sessions locks grants, then records, then sign-ins. This order prevents a deadlock with it.
  if tg_op = 'DELETE' then
    perform from application_grants where application_id = old.id order by id for update;
  end if;
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
create trigger applications_told_of_pause before update of paused_at on applications
  for each row when (old.paused_at is null and new.paused_at is not null) execute function tell_application_of_its_end();
create trigger applications_told_of_removal before delete on applications
  for each row execute function tell_application_of_its_end();

-- 12. Webhooks

create table webhooks (
  id bigint default random_id() constraint webhooks_pkey primary key,
  -- The organization of which it hears. Null: the suite's, added by the operator.
  org_id bigint constraint webhooks_org_id_fkey references organizations on delete cascade,
  url text not null,
  description text not null default '',
  -- The events of which it hears. Empty: all.
  events text[] not null default '{}',
  -- The signing secret, sealed by SECRET_KEY.
  sealed_secret bytea not null,
  former_sealed_secret bytea,
  former_secret_ends_at timestamptz,
  paused_at timestamptz,
  switched_off_at timestamptz,
  failing_since timestamptz,
  created_by bigint constraint webhooks_created_by_fkey references users on delete set null,
  created_at timestamptz not null,
  constraint webhooks_former_secret_ends check ((former_sealed_secret is null) = (former_secret_ends_at is null))
);
create unique index webhooks_url_idx on webhooks (coalesce(org_id, 0), url);
create index webhooks_org_id_idx on webhooks (org_id);
create index webhooks_created_by_idx on webhooks (created_by);

-- The history of events, each written in the transaction of the change that it announces. A job delivers it.
create table webhook_deliveries (
  id bigint generated always as identity constraint webhook_deliveries_pkey primary key,
  webhook_id bigint not null
    constraint webhook_deliveries_webhook_id_fkey references webhooks on delete cascade,
  message_id uuid not null default gen_random_uuid(),
  event text not null,
  subject text not null,
  -- Deliveries of one lane go in order. One subject has one lane.
  lane smallint not null,
  payload jsonb not null,
  status text not null default 'waiting'
    constraint webhook_deliveries_status_known check (status in ('waiting', 'delivered', 'failed')),
  created_at timestamptz not null,
  next_try_at timestamptz not null,
  job_id bigint,
  attempts integer not null default 0,
  -- When the first try failed. Three days later the delivery has failed.
  first_failed_at timestamptz,
  tried_at timestamptz,
  status_code integer,
  duration_ms integer,
  -- The first kilobyte of the last answer.
  response text,
  error text
);
create index webhook_deliveries_waiting_idx on webhook_deliveries (webhook_id) where status = 'waiting';
create index webhook_deliveries_webhook_id_idx on webhook_deliveries (webhook_id, id);
create unique index webhook_deliveries_message_id_idx on webhook_deliveries (message_id);
create index webhook_deliveries_subject_idx on webhook_deliveries (subject);
create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at);

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
  return new;
end
$$;
create trigger webhook_deliveries_queued before insert or update of next_try_at on webhook_deliveries
  for each row when (new.status = 'waiting') execute function queue_delivery();

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

-- 13. Archives with everything that is stored about a person or an organization, at most one for each

create table data_exports (
  id bigint generated always as identity constraint data_exports_pkey primary key,
  user_id bigint
    constraint data_exports_user_id_fkey references users on delete cascade
    constraint data_exports_user_id_key unique,
  org_id bigint constraint data_exports_org_id_fkey references organizations on delete cascade,
  -- The Super Admin who asked for an organization's archive.
  requested_by bigint constraint data_exports_requested_by_fkey references users on delete set null,
  -- The organizations whose rows a person's archive holds.
  org_ids bigint[],
  requested_at timestamptz not null,
  -- The job that makes it. Once it has failed for good, a new request is possible.
  job_id bigint,
  made_at timestamptz,
  expires_at timestamptz,
  -- The name of the file in the storage, and of those that continue it.
  file_id text constraint data_exports_file_id_key unique,
  further_file_ids text[] not null default '{}',
  byte_count integer,
  constraint data_exports_one_subject check (num_nonnulls(user_id, org_id) = 1),
  constraint data_exports_covered check ((user_id is null) = (org_ids is null)),
  constraint data_exports_whole check (num_nulls(made_at, expires_at, file_id, byte_count) in (0, 4))
);
create index data_exports_org_id_idx on data_exports (org_id);
create index data_exports_requested_by_idx on data_exports (requested_by);
create index data_exports_expires_at_idx on data_exports (expires_at);

-- 14. The site

-- The key of this database, so that a process with another one stops before it does harm.
create table installation (
  one boolean constraint installation_pkey primary key default true constraint installation_one_row check (one),
  key_id text not null
);

-- Keys derived from a former SECRET_KEY, sealed by the newest: for log rows and recovery codes, which stay under their key.
create table former_keys (
  id bigint generated always as identity constraint former_keys_pkey primary key,
  key_id text not null,
  purpose text not null,
  sealed_key bytea not null,
  constraint former_keys_key_id_purpose_key unique (key_id, purpose)
);

-- 15. Company sign-in

-- The domains that organizations claim. A TXT record with the token proves one.
create table company_domains (
  id bigint default random_id() constraint company_domains_pkey primary key,
  org_id bigint not null constraint company_domains_org_id_fkey references organizations on delete cascade,
  -- In ASCII and lower case.
  domain text not null constraint company_domains_form check (domain ~ '^[a-z0-9.-]+\.[a-z][a-z0-9-]*[a-z0-9]$'),
  token text not null,
  joining text not null default 'invitation'
    constraint company_domains_joining_known check (joining in ('invitation', 'ask', 'click')),
  -- Of people who join by one click.
  role_id bigint,
  proven_at timestamptz,
  -- The last time that a name server answered.
  checked_at timestamptz,
  -- Since when the record is gone.
  missing_since timestamptz,
  created_at timestamptz not null,
  constraint company_domains_org_key unique (org_id, domain),
  constraint company_domains_role_fkey foreign key (org_id, role_id) references roles (org_id, id),
  constraint company_domains_role_of_click check ((joining = 'click') = (role_id is not null)),
  constraint company_domains_missing check (missing_since is null or proven_at is not null)
);
create unique index company_domains_proven_key on company_domains (domain) where proven_at is not null;
create index company_domains_role_id_idx on company_domains (role_id);
create index company_domains_checked_idx on company_domains (checked_at) where proven_at is not null;

-- People with an address of a proven domain who ask to be let in.
create table join_requests (
  org_id bigint not null constraint join_requests_org_id_fkey references organizations on delete cascade,
  user_id bigint not null constraint join_requests_user_id_fkey references users on delete cascade,
  created_at timestamptz not null,
  constraint join_requests_pkey primary key (user_id),
  constraint join_requests_org_key unique (org_id, user_id)
);

-- The tokens of company directories, which call by SCIM.
create table scim_tokens (
  id bigint default random_id() constraint scim_tokens_pkey primary key,
  org_id bigint not null constraint scim_tokens_org_id_fkey references organizations on delete cascade,
  token_hash bytea not null constraint scim_tokens_hash_key unique,
  -- Of people who are in no group with a role. Null: the role was deleted in favour of Super Admin.
  role_id bigint,
  created_by bigint constraint scim_tokens_created_by_fkey references users on delete set null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- The newest refused calls: the names of their fields, no values.
  refused jsonb not null default '[]',
  constraint scim_tokens_role_fkey foreign key (org_id, role_id) references roles (org_id, id)
);
create index scim_tokens_org_id_idx on scim_tokens (org_id);
create index scim_tokens_role_idx on scim_tokens (role_id);
create index scim_tokens_created_by_idx on scim_tokens (created_by);

-- People as the directory knows them, in its own spelling. Without a membership: the directory deactivated an invited
-- person, or the membership has ended.
create table scim_users (
  id uuid default gen_random_uuid() constraint scim_users_pkey primary key,
  org_id bigint not null constraint scim_users_org_id_fkey references organizations on delete cascade,
  member_id bigint constraint scim_users_member_fkey references memberships on delete set null,
  user_name text not null,
  user_name_key text collate "C" not null generated always as (lower(user_name)) stored,
  external_id text not null,
  -- As sent, and in the form of accounts.
  email text not null,
  email_key text collate "C" not null,
  is_active boolean not null,
  formatted_name text not null default '',
  given_name text not null,
  family_name text not null,
  display_name text not null,
  title text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- The role of a group has changed, and the membership has not followed yet.
  is_role_due boolean not null default false,
  constraint scim_users_name_key unique (org_id, user_name_key),
  constraint scim_users_email_key unique (org_id, email_key),
  constraint scim_users_member_key unique (member_id)
);
create unique index scim_users_external_key on scim_users (org_id, external_id) where external_id <> '';
create index scim_users_due_idx on scim_users (org_id) where is_role_due;
create index scim_users_in_order_idx on scim_users (org_id, created_at, id);

create table scim_groups (
  id uuid default gen_random_uuid() constraint scim_groups_pkey primary key,
  org_id bigint not null constraint scim_groups_org_id_fkey references organizations on delete cascade,
  display_name text not null,
  name_key text collate "C" not null generated always as (lower(display_name)) stored,
  external_id text not null,
  -- Of its members, if a Super Admin has chosen one.
  role_id bigint,
  -- Changes of that role after which its members are not marked yet.
  role_changes integer not null default 0,
  -- How many members it has.
  size integer not null default 0,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint scim_groups_name_key unique (org_id, name_key),
  constraint scim_groups_role_fkey foreign key (org_id, role_id) references roles (org_id, id)
);
create index scim_groups_role_idx on scim_groups (role_id);
create index scim_groups_in_order_idx on scim_groups (org_id, created_at, id);

create table scim_group_members (
  group_id uuid not null constraint scim_group_members_group_fkey references scim_groups on delete cascade,
  scim_user_id uuid not null constraint scim_group_members_user_fkey references scim_users on delete cascade,
  constraint scim_group_members_pkey primary key (group_id, scim_user_id)
);
create index scim_group_members_user_idx on scim_group_members (scim_user_id);

-- The identity providers of organizations. A draft becomes the connection once a test has passed.
create table company_connections (
  id bigint default random_id() constraint company_connections_pkey primary key,
  org_id bigint not null constraint company_connections_org_id_fkey references organizations on delete cascade,
  is_on boolean not null default false,
  issuer text not null default '',
  client_id text not null default '',
  -- Sealed by SECRET_KEY. The next one is tried when the provider refuses the first.
  sealed_secret bytea,
  next_sealed_secret bytea,
  secret_ends_at timestamptz,
  -- The last notice about the end of the secret.
  told_days smallint,
  declares_step boolean not null default false,
  -- Of new colleagues.
  role_id bigint,
  tested_at timestamptz,
  created_at timestamptz not null,
  constraint company_connections_issuer_key unique (id, issuer),
  constraint company_connections_role_fkey foreign key (org_id, role_id) references roles (org_id, id),
  constraint company_connections_whole check (not is_on or (issuer <> '' and client_id <> '' and sealed_secret is not null and tested_at is not null))
);
create unique index company_connections_org_key on company_connections (org_id, is_on);
create index company_connections_role_id_idx on company_connections (role_id);

-- Who a subject of a provider is. A subject is never an address, and another issuer may give it to somebody else.
create table company_identities (
  connection_id bigint not null,
  issuer text not null,
  subject text not null,
  user_id bigint not null constraint company_identities_user_fkey references users on delete cascade,
  -- Linked while the account was a guest's, so it opens an account of the company only by the account's own address.
  is_guest boolean not null default false,
  created_at timestamptz not null,
  constraint company_identities_connection_fkey foreign key (connection_id, issuer)
    references company_connections (id, issuer) on update cascade on delete cascade,
  constraint company_identities_pkey primary key (connection_id, subject)
);
create index company_identities_user_id_idx on company_identities (user_id);
create index company_identities_issuer_idx on company_identities (issuer, connection_id);

-- The sessions that came in through a provider, for its notices of sign-outs.
create table company_entries (
  session_id bigint not null constraint company_entries_session_fkey references sessions on delete cascade,
  connection_id bigint not null constraint company_entries_connection_fkey references company_connections on delete cascade,
  subject text not null,
  -- The provider's id of its own session.
  sid text,
  -- Names the person at the provider's sign-out.
  id_token text,
  created_at timestamptz not null,
  constraint company_entries_pkey primary key (session_id, connection_id)
);
create index company_entries_connection_id_idx on company_entries (connection_id, subject);

-- People on their way to a company's provider and back.
create table company_visits (
  state_hash bytea constraint company_visits_pkey primary key,
  browser_hash bytea not null,
  connection_id bigint not null constraint company_visits_connection_fkey references company_connections on delete cascade,
  -- Those of the connection when the visit began.
  issuer text not null,
  client_id text not null,
  purpose text not null constraint company_visits_purpose_check check (purpose in ('sign-in', 'test', 'proof')),
  -- The session that the visit adds to, or proves again.
  session_id bigint constraint company_visits_session_fkey references sessions on delete cascade,
  next text,
  -- Why nobody was sent to the provider, and its own error.
  failed text,
  problem text not null default '',
  expires_at timestamptz not null
);
create index company_visits_connection_id_idx on company_visits (connection_id);
create index company_visits_session_id_idx on company_visits (session_id);
create index company_visits_expires_at_idx on company_visits (expires_at);

-- Identities that wait for a proof of the account that they belong to.
create table company_links (
  -- SHA-256 of the visit's state, and of the cookie of the browser that came back.
  visit_hash bytea constraint company_links_pkey primary key,
  browser_hash bytea not null,
  connection_id bigint not null constraint company_links_connection_fkey references company_connections on delete cascade,
  subject text not null,
  user_id bigint not null constraint company_links_user_fkey references users on delete cascade,
  sid text,
  id_token text,
  has_step boolean not null,
  -- The address that the provider named, and why its company does not vouch for it.
  email text,
  failed text,
  next text,
  expires_at timestamptz not null
);
create index company_links_connection_id_idx on company_links (connection_id);
create index company_links_user_id_idx on company_links (user_id);
create index company_links_expires_at_idx on company_links (expires_at);

-- How visits ended, for Super Admins.
create table company_attempts (
  id bigint generated always as identity constraint company_attempts_pkey primary key,
  connection_id bigint not null constraint company_attempts_connection_fkey references company_connections on delete cascade,
  reference text not null,
  created_at timestamptz not null,
  is_test boolean not null,
  email text,
  outcome text not null,
  -- The provider's own error, or words in the address of the return, which anybody can write.
  problem text not null default '',
  is_said_in_address boolean not null default false,
  -- Of a test.
  claims jsonb
);
create index company_attempts_connection_id_idx on company_attempts (connection_id, id);

-- Sessions that have just ended, whose browsers may sign out at the provider, too.
create table company_leavings (
  ticket_hash bytea constraint company_leavings_pkey primary key,
  connection_id bigint not null constraint company_leavings_connection_fkey references company_connections on delete cascade,
  id_token text,
  expires_at timestamptz not null
);
create index company_leavings_connection_id_idx on company_leavings (connection_id);
create index company_leavings_expires_at_idx on company_leavings (expires_at);

-- The logout tokens that a provider has used.
create table company_logouts (
  connection_id bigint not null constraint company_logouts_connection_fkey references company_connections on delete cascade,
  jti_hash bytea not null,
  expires_at timestamptz not null,
  constraint company_logouts_pkey primary key (connection_id, jti_hash)
);
create index company_logouts_expires_at_idx on company_logouts (expires_at);
