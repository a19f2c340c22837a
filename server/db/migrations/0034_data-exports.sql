-- Archives with everything that the portal holds about a person, at most one for each.

create table data_exports (
  id bigint generated always as identity constraint data_exports_pkey primary key,
  user_id bigint not null
    constraint data_exports_user_id_fkey references users on delete cascade
    constraint data_exports_user_id_key unique,
  requested_at timestamptz not null,
  made_at timestamptz,
  expires_at timestamptz,
  file_id text constraint data_exports_file_id_key unique,
  byte_count integer,
  constraint data_exports_whole check (num_nulls(made_at, expires_at, file_id, byte_count) in (0, 4))
);
create index data_exports_expires_at_idx on data_exports (expires_at);
comment on column data_exports.file_id is 'the archive''s name in the storage; null while a job makes it';
