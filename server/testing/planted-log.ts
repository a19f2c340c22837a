import { sql } from 'kysely';
import type { OrgId, UserId } from '#contract/wire.ts';
import { type Filter, listPlaces } from '#server/activity/data.ts';
import { kindsOf } from '#server/activity/rules.ts';
import type { Db } from '#server/db/connect.ts';

/** What three of the oldest rows are, and no other. */
export const RARE = { module: 6, type: 10, action: 4, userId: 900 as UserId };

/**
 * Fills an empty log of one organization, and of its busiest member, with so many rows over two months. Half of them are
 * that member's; twelve kinds are common. They are in no chain that would verify.
 */
export async function plantLog(database: Db, { rows }: { rows: number }) {
  await sql`insert into activity_chains (chain, length, head) values ('org:1', 0, ''), ('user:1', 0, '')`.execute(
    database,
  );
  const insert = (from: number, to: number) => sql`
    insert into activity (chain, position, org_id, user_id, created_at, module, activity_type, action, record_id,
      information, information_mac, mac, key_id, link_version)
    select case when n % 10 = 0 then 'user:1' else 'org:1' end, n, case when n % 10 = 0 then null else 1 end,
      case when n <= 3 then ${RARE.userId} when n % 2 = 0 then 1 else 2 + n % 500 end,
      timestamptz '2026-01-01' + n * interval '60 days' / ${rows}::float8,
      case when n <= 3 then ${RARE.module} else 1 + n % 2 end,
      case when n <= 3 then ${RARE.type} else 1 + n % 3 * 6 end,
      case when n <= 3 then ${RARE.action} else 1 + n % 4 / 2 * 2 end,
      null, '{"name": ["before", "after"]}', '', '', 'key', 2
    from generate_series(${from}::int, ${to}::int) as n`;
  const AT_ONCE = 20_000;
  for (let from = 1; from <= rows; from += AT_ONCE)
    await insert(from, Math.min(rows, from + AT_ONCE - 1)).execute(database);
  await sql`analyze activity`.execute(database);
}

const parts = [{ orgId: 1 as OrgId }];
const filters: Record<string, Filter> = {
  everything: { parts },
  'a common area': { parts, kinds: kindsOf({ module: 1 }) },
  'a rare area': { parts, kinds: kindsOf({ module: RARE.module }) },
  'a rare action': { parts, kinds: kindsOf({ action: RARE.action }) },
  'three old rows of one person': { parts: [{ orgId: 1 as OrgId, userId: RARE.userId }] },
  'what a busy person rarely does': {
    parts: [{ orgId: 1 as OrgId, userId: 1 as UserId }],
    kinds: kindsOf({ action: RARE.action }),
  },
  'the first day': { parts, to: new Date('2026-01-02T00:00:00Z') },
  'one’s own': {
    parts: [
      { orgId: 1 as OrgId, userId: 1 as UserId },
      { orgId: null, userId: 1 as UserId },
    ],
  },
};

const PAGE_ROWS = 101;
const ROUNDS = 9;

/** Plants so many rows and tells what a page costs by each filter, in milliseconds: the median of some rounds. */
export async function timePages(database: Db, rows: number): Promise<Map<string, number>> {
  await plantLog(database, { rows });
  const measured = new Map<string, number>();
  for (const [name, filter] of Object.entries(filters)) {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const started = performance.now();
      await listPlaces(database, filter, PAGE_ROWS);
      // The first one warms up.
      if (round > 0) times.push(performance.now() - started);
    }
    measured.set(name, times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN);
  }
  return measured;
}
