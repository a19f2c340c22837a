-- The network whose budget a mailed link counts against, until the link is used.

alter table one_time_tokens add column asked_from text;
