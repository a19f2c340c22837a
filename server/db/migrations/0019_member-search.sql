-- Members are found by any word of their name and any part of their address.

create function member_words(org bigint, name text, address text) returns tsvector language sql immutable strict parallel safe
return (
  select array_to_tsvector(coalesce(array_agg(org::text || ' ' || substr(word, at)), '{}'))
  from string_to_table(translate(name, '’‘ʼ,;()<>"', '''''''       ') || ' ' || address, ' ') as word,
    generate_series(1, length(word)) as at
  where at = 1 or substr(word, at, 1) = '@' or (strpos('.-_+@''‐–/&·・', substr(word, at - 1, 1)) > 0
    and strpos('.-_+@''‐–/&·・', substr(word, at, 1)) = 0)
);
comment on function member_words is 'all that follows the start of a word of a folded name, or of a part of an address, so that a prefix of it is what one searches for; the organization stands in front, so that others cost nothing';

create function member_query(org bigint, search text) returns tsquery language sql immutable strict parallel safe
return (
  select coalesce(string_agg('''' || org::text || ' ' || replace(replace(
    coalesce(nullif(ltrim(word, '.-_+''‐–/&·・'), ''), word), '\', '\\'), '''', '''''') || ''':*', '&'), '')::tsquery
  from string_to_table(folded(translate(search, '’‘ʼ,;()<>"', '''''''       ')), ' ') as word where word <> ''
);
comment on function member_query is 'finds the members of whom each of these words begins something';

create table member_search (
  member_id bigint constraint member_search_pkey primary key
    constraint member_search_member_fkey references memberships on delete cascade,
  words tsvector not null
);
-- Entries that wait to be sorted in would all be read at each search.
create index member_search_words_idx on member_search using gin (words) with (fastupdate = off);
comment on table member_search is 'what members are found by; triggers keep it, and it stands apart so that no large table is written anew';

create function memberships_keep_words() returns trigger language plpgsql as $$
begin
  insert into member_search (member_id, words) values (new.id, member_words(new.org_id, new.name_key, new.email_key))
  on conflict on constraint member_search_pkey do update set words = excluded.words;
  return null;
end
$$;
create trigger memberships_words_joined after insert on memberships
  for each row execute function memberships_keep_words();
create trigger memberships_words_changed after update on memberships for each row
  when ((old.first_name, old.last_name, old.email_key) is distinct from (new.first_name, new.last_name, new.email_key))
  execute function memberships_keep_words();

create table backfills (
  name text constraint backfills_pkey primary key,
  after_id bigint not null
);
comment on table backfills is 'what is still to be filled in for rows of before, and up to where that is done';
insert into backfills (name, after_id) select 'member-words', 0 where exists (select from memberships);
