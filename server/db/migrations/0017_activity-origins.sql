-- Where the acts of the log came from, which is told to fewer than what was done, and goes with the person.

create table activity_origins (
  activity_id bigint constraint activity_origins_pkey primary key,
  user_id bigint not null constraint activity_origins_user_fkey references users on delete cascade,
  ip_address text not null,
  browser text not null,
  system text not null,
  location text not null
);
create index activity_origins_user_id_idx on activity_origins (user_id);
comment on table activity_origins is 'beside the chain, which covers what was done: erasing a person takes theirs away';
comment on column activity_origins.activity_id is 'rows of the log are never removed, so no key watches over it';
comment on column activity_origins.location is 'as their session from that address tells it';
