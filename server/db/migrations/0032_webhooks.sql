-- Addresses that learn of events by signed requests.

create table webhooks (
  id bigint generated always as identity constraint webhooks_pkey primary key,
  org_id bigint constraint webhooks_org_id_fkey references organizations on delete cascade,
  url text not null,
  description text not null default '',
  events text[] not null default '{}',
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
comment on column webhooks.org_id is 'the organization that it hears of; null: the suite''s, added by the operator';
comment on column webhooks.events is 'the events that it hears of; empty: all';
comment on column webhooks.sealed_secret is 'the signing secret, encrypted by SECRET_KEY';
