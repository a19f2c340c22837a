-- Kinds of jobs whose lanes take turns: a claim steps from lane to lane, however long each is.

create index if not exists jobs_turns_idx on jobs (kind, lane, run_at, id) where lane is not null;
