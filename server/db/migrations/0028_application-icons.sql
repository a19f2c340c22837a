-- The icons of organizations' own applications: their bytes lie in the storage under the same name.

create table application_icons (
  application_id bigint constraint application_icons_pkey primary key
    constraint application_icons_application_id_fkey references applications on delete cascade,
  file_id text not null constraint application_icons_file_id_key unique,
  media_type text not null
    constraint application_icons_media_type_known check (media_type in ('image/png', 'image/jpeg')),
  created_at timestamptz not null
);
comment on column application_icons.file_id is 'random and never used again: bytes do not change under it';
