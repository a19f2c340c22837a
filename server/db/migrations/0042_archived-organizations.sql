-- The organizations whose rows a person's archive holds. Null: an earlier release made it, so it may hold rows of any.

alter table data_exports add column org_ids bigint[];
