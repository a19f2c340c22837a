-- How a person proved who they are, which applications ask for.
alter table sessions add column methods text[];
comment on column sessions.methods is 'the proofs of this session (RFC 8176: pwd, otp; fed for a provider); null: opened before they were noted';
alter table challenges add column method text;
comment on column challenges.method is 'the proof that came before the code of a sign-in';
