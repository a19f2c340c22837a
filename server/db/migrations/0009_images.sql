-- Uploaded images: their bytes lie in the storage under the same name, the row says what they are for.

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
comment on column images.file_id is 'random and never used again: bytes do not change under it';
comment on column images.icon_type is '1 dark, 2 light';
comment on column images.shown_at is 'since when it is the organization''s icon; null while it waits to be named, for a day at most';
