-- Organizations, their roles and rights, and who belongs to them as what.

create table organizations (
  id bigint generated always as identity constraint organizations_pkey primary key,
  name text not null,
  type text not null default 'business',
  url_name text not null constraint organizations_url_name_key unique,
  employee_count integer constraint organizations_employee_count_range check (employee_count between 1 and 100000),
  description text not null default '',
  website text not null default '',
  application_name text not null,
  created_by bigint constraint organizations_created_by_fkey references users on delete set null,
  created_at timestamptz not null
);
create index organizations_created_by_idx on organizations (created_by);
comment on column organizations.url_name is 'first segment of its addresses; rule in contract/pages.ts';

create table roles (
  id bigint generated always as identity constraint roles_pkey primary key,
  org_id bigint not null constraint roles_org_fkey references organizations on delete cascade,
  name text not null,
  name_key text not null,
  kind text not null constraint roles_kind_known check (kind in ('super-admin', 'admin', 'custom')),
  is_admin boolean not null constraint roles_built_in_admin check (kind = 'custom' or is_admin),
  created_by bigint constraint roles_created_by_fkey references users on delete set null,
  created_at timestamptz not null,
  constraint roles_org_id_key unique (org_id, id),
  constraint roles_name_key unique (org_id, name_key)
);
create unique index roles_built_in_once on roles (org_id, kind) where kind <> 'custom';
comment on column roles.name_key is 'the name folded (case, width, spaces), so that look-alikes are duplicates';

create table role_rights (
  org_id bigint not null,
  role_id bigint not null,
  service text not null,
  module smallint not null,
  action text not null constraint role_rights_action_known check (action in ('create', 'read', 'update', 'delete')),
  constraint role_rights_pkey primary key (role_id, service, module, action),
  constraint role_rights_role_fkey foreign key (org_id, role_id) references roles (org_id, id) on delete cascade
);
comment on table role_rights is 'one row a right of a custom role; built-in roles hold every right without rows';

create table memberships (
  id bigint generated always as identity constraint memberships_pkey primary key,
  org_id bigint not null constraint memberships_org_fkey references organizations on delete cascade,
  user_id bigint not null constraint memberships_user_fkey references users on delete cascade,
  role_id bigint not null,
  status smallint not null constraint memberships_status_known check (status between 1 and 4),
  first_name text not null,
  last_name text not null default '',
  designation text not null default '',
  is_default boolean not null default false,
  invited_by bigint constraint memberships_invited_by_fkey references users on delete set null,
  invitation_expires_at timestamptz,
  created_at timestamptz not null,
  constraint memberships_user_key unique (org_id, user_id),
  constraint memberships_role_fkey foreign key (org_id, role_id) references roles (org_id, id)
);
create index memberships_user_id_idx on memberships (user_id);
create index memberships_role_id_idx on memberships (role_id);
create unique index memberships_one_default on memberships (user_id) where is_default;
comment on column memberships.status is '1 invited, 2 active, 3 inactive, 4 disabled';
comment on column memberships.first_name is 'this organization''s own spelling; a person''s profile edit reaches all of theirs';
