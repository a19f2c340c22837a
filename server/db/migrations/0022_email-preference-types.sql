-- The contract alone lists the types of mails: a new one needs no migration.

alter table email_preferences drop constraint email_preferences_type_known;
comment on column email_preferences.type is 'as in NOTIFICATION_TYPE of the contract; no row means not asked for';
