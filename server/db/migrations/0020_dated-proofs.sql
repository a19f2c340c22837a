-- A proof of a mailbox is as old as its mail.

comment on column users.confirmed_at is 'when the newest mail left that showed that somebody reads the mailbox: its link was opened, or its code typed';
