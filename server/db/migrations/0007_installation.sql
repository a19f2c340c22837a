-- Which key this database belongs to, so that a process with another one stops before it does harm.

create table installation (
  one boolean constraint installation_pkey primary key default true constraint installation_one_row check (one),
  key_id text not null
);
