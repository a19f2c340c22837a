-- Archives of organizations beside those of people. A large archive is several files.

alter table data_exports
  alter column user_id drop not null,
  add column org_id bigint,
  add column requested_by bigint,
  add column job_id bigint,
  add column further_file_ids text[] not null default '{}',
  add constraint data_exports_org_id_fkey foreign key (org_id) references organizations on delete cascade not valid,
  add constraint data_exports_requested_by_fkey foreign key (requested_by) references users on delete set null not valid,
  add constraint data_exports_one_subject check (num_nonnulls(user_id, org_id) = 1) not valid;
create index if not exists data_exports_org_id_idx on data_exports (org_id);
create index if not exists data_exports_requested_by_idx on data_exports (requested_by);
comment on column data_exports.requested_by is 'the Super Admin who asked for an organization''s archive';
comment on column data_exports.job_id is 'the job that makes it; where that has failed for good, a new request is possible';
comment on column data_exports.further_file_ids is 'the files that continue file_id, in order';
