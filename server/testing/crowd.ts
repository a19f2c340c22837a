import type { TestApp } from './start-app.ts';

/**
 * Adds as many members as a large company has. Each role has half as many members as the previous one, names
 * repeat and statuses vary. The planner's statistics are updated.
 */
export const crowd = (
  { database }: { readonly database: Pick<TestApp['database'], 'exclusively'> },
  orgId: number,
  roles: readonly number[],
  count: number,
  { firstId }: { readonly firstId?: number } = {},
) =>
  database.exclusively(async (script) => {
    const id = firstId === undefined ? 'random_id()' : `${firstId - 1} + n`;
    const word = (seed: string) =>
      `initcap(translate(substr(md5(${seed}), 1, 6), '0123456789', 'aeiouélnrs'))`;
    const nth = `least(floor(-ln((n % 1021 + 1) / 1022.0) / ln(2)), ${roles.length - 1})::int`;
    // Row triggers would run for each member; their results are inserted below instead.
    await script(`
      set local session_replication_role = replica;
      with crowd as (
        select n, ${word(`'f' || n % 997`)} as first_name, ${word(`'l' || n % 4999`)} as last_name
        from generate_series(1, ${count}) as n
      ), people as (
        insert into users (id, email, first_name, last_name, designation, created_at)
        select ${id}, 'p' || md5(n::text) || '@northwind.example', first_name, last_name, n, now() from crowd
        returning id, email, first_name, last_name, designation::int as n
      )
      insert into memberships (org_id, user_id, role_id, status, first_name, last_name, email_key, created_at)
      select ${orgId}, id, (array[${roles.join(', ')}])[1 + ${nth}],
        case when n % 50 = 0 then 1 when n % 20 = 0 then 3 when n % 33 = 0 then 4 else 2 end,
        first_name, last_name, email, now() from people;
      insert into member_search select id, member_words(org_id, name_key, email_key) from memberships
        where org_id = ${orgId} on conflict do nothing;
      delete from member_counts where org_id = ${orgId};
      insert into member_counts select org_id, role_id, status, count(*) from memberships where org_id = ${orgId}
        group by org_id, role_id, status;
      analyze users, memberships, member_search, roles;`);
  });

/**
 * Adds a log as long as a large company's: acts of one person, six minutes apart up to now, a third of each
 * kind. They are in their own chain, which does not verify.
 */
export const manyActs = (
  { database, clock }: Pick<TestApp, 'database' | 'clock'>,
  orgId: number,
  userId: number,
  count: number,
) =>
  database.exclusively((script) =>
    script(`
      insert into activity_chains (chain, length, head) values ('crowd:${orgId}', 0, '');
      insert into activity (chain, position, org_id, user_id, created_at, module, activity_type, action, record_id,
        information, information_mac, mac, key_id)
      select 'crowd:${orgId}', n, ${orgId}, ${userId},
        timestamptz '${clock.now().toISOString()}' - (${count} - n) * interval '6 minutes',
        1 + n % 2, 1 + n % 3 * 6, 3, null, jsonb_build_object('name', jsonb_build_array('Name ' || n - 1, 'Name ' || n)),
        '', '', 'key'
      from generate_series(1, ${count}) as n;
      analyze activity;`),
  );
