-- New people get random ids. Counted ids tell whether somebody got an account between two others.

create function random_user_id() returns bigint language plpgsql volatile as $$
declare
  candidate bigint;
begin
  loop
    -- 46 random bits: above all counted ids, below the ids of invitations (2^48) and safe in JSON.
    candidate := (1::bigint << 46)
      | (('x' || translate(left(gen_random_uuid()::text, 13), '-', ''))::bit(48)::bigint >> 2);
    exit when not exists (select from users where id = candidate);
  end loop;
  return candidate;
end
$$;

-- Older processes insert people without an id and get a random one too.
alter table users alter column id drop identity;
alter table users alter column id set default random_user_id();
comment on column users.id is 'random from 2^46 to 2^47; counted for people from before 0023';
