import { sql } from 'kysely';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';

/** The attributes of three of the oldest rows, and of no other. */
export const RARE = {
  module: MODULE.deleteAccount,
  type: ACTIVITY_TYPE.deleteAccount,
  action: ACTION.delete,
  userId: 900 as UserId,
};

type Planted = { readonly rows: number; readonly orgId?: OrgId; readonly busy?: UserId };
/**
 * Adds rows over two months to the log of an organization. Half of them are of its busiest member, and
 * twelve kinds are common. They are in their own chain, which does not verify.
 */
export async function plantLog(database: Db, { rows, orgId = 1 as OrgId, busy = 1 as UserId }: Planted) {
  await sql`insert into activity_chains (chain, length, head) values ('planted', 0, '')`.execute(database);
  const insert = (from: number, to: number) => sql`
    with added as (insert into activity (chain, position, org_id, user_id, created_at, module, activity_type, action, record_id,
      information, information_mac, mac, key_id)
    select 'planted', n, case when n % 10 = 0 then null else ${orgId}::bigint end,
      case when n <= 3 then ${RARE.userId} when n % 2 = 0 then ${busy}::bigint else 2 + n % 500 end,
      timestamptz '2026-01-01' + n * interval '60 days' / ${rows}::float8,
      case when n <= 3 then ${RARE.module} else 1 + n % 2 end,
      case when n <= 3 then ${RARE.type} else 1 + n % 3 * 6 end,
      case when n <= 3 then ${RARE.action} else 1 + n % 4 / 2 * 2 end,
      null, '{"name": ["before", "after"]}', '', '', 'key'
    from generate_series(${from}::int, ${to}::int) as n
    returning id, user_id)
    insert into activity_origins (activity_id, user_id, ip_address, browser, system, location)
    select added.id, user_id, '192.0.2.1', 'Chrome', 'Linux', 'Unknown' from added join users on users.id = user_id`;
  const AT_ONCE = 5000;
  for (let from = 1; from <= rows; from += AT_ONCE)
    await insert(from, Math.min(rows, from + AT_ONCE - 1)).execute(database);
  await sql`analyze activity, activity_origins`.execute(database);
}
