-- New sessions, organizations, applications and webhooks get random ids. Counted ids tell how many there are and how
-- fast their number grows.

-- 46 random bits, so two rows get the same one about never, and their primary key refuses it.
create function random_id() returns bigint language sql volatile as $$
  select (1::bigint << 46) | (('x' || translate(left(gen_random_uuid()::text, 13), '-', ''))::bit(48)::bigint >> 2)
$$;

alter table sessions alter column id drop identity;
alter table sessions alter column id set default random_id();
alter table organizations alter column id drop identity;
alter table organizations alter column id set default random_id();
alter table applications alter column id drop identity;
alter table applications alter column id set default random_id();
alter table webhooks alter column id drop identity;
alter table webhooks alter column id set default random_id();
