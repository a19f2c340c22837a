-- Names in addresses whose organization was erased: applications know it by that name, so nobody else gets it for a year.

create table kept_url_names (
  name_hash bytea constraint kept_url_names_pkey primary key,
  kept_until timestamptz not null
);
create index kept_url_names_kept_until_idx on kept_url_names (kept_until);
comment on column kept_url_names.name_hash is 'SHA-256 of the name, which may hold the name of a person who was erased';
