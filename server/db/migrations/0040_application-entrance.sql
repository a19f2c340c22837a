-- Who may enter an application of the suite, and web applications whose library cannot do PKCE.

alter table applications
  add column members_of bigint,
  add column requires_pkce boolean not null default true;
alter table applications add constraint applications_pkce_of_people
  check (requires_pkce or kind = 'web') not valid;
comment on column applications.members_of is
  'null: everybody with an account may enter; 0: members of any organization; else: of this one, and nobody after its end';
