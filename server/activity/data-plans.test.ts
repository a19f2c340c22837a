import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { type Filter, idsQuery } from './data.ts';
import { kindsOf } from './rules.ts';
import { plantLog, RARE } from '#server/testing/planted-log.ts';
import { openTestDatabase } from '#server/testing/databases.ts';
import { useServer } from '#server/testing/use-app.ts';

// The cost of a page depends on its size, not on the size of the log, because every filter uses an index.

const ROWS = 60_000;
const LIMIT = 51;
const org = 1 as OrgId;
const busy = 1 as UserId;

const database = useServer(() => openTestDatabase());
beforeAll(async () => {
  await plantLog(database.sql, { rows: ROWS });
}, 120_000);

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
};

/** How many rows of the log were read, and whether the whole log was scanned or sorted. */
async function costOf(filter: Filter, after?: { createdAt: Date; id: number }) {
  const query = idsQuery(filter, LIMIT, after);
  const { rows } = await sql<{
    'QUERY PLAN': { Plan: Node }[];
  }>`explain (analyze, format json) ${query}`.execute(database.sql);
  const cost = { rows: 0, scans: new Set<string>(), sorted: 0 };
  const visit = (node: Node) => {
    const rowsRead = node['Actual Loops'] * node['Actual Rows'];
    if (node['Relation Name'] === 'activity') {
      cost.rows += rowsRead + node['Actual Loops'] * (node['Rows Removed by Filter'] ?? 0);
      cost.scans.add(node['Node Type']);
    }
    for (const inner of node.Plans ?? []) {
      if (node['Node Type'].endsWith('Sort')) cost.sorted += inner['Actual Loops'] * inner['Actual Rows'];
      visit(inner);
    }
  };
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('no plan');
  visit(plan);
  return cost;
}

const since = (day: string) => new Date(`${day}T00:00:00Z`);
const organization = (userId?: UserId) => [{ orgId: org, userId }];
const mine = [
  { orgId: org, userId: busy },
  { orgId: null, userId: busy },
];
const middle = { createdAt: since('2026-01-15'), id: ROWS / 2 };

test.for<[what: string, filter: Filter]>([
  ['everything', { parts: organization() }],
  ['a common area', { parts: organization(), kinds: kindsOf({ module: MODULE.organization }) }],
  ['a rare area', { parts: organization(), kinds: kindsOf({ module: RARE.module }) }],
  ['a rare type', { parts: organization(), kinds: kindsOf({ activityType: RARE.type }) }],
  ['a common action', { parts: organization(), kinds: kindsOf({ action: ACTION.update }) }],
  ['a rare action', { parts: organization(), kinds: kindsOf({ action: RARE.action }) }],
  [
    'a common module with a common action',
    { parts: organization(), kinds: kindsOf({ module: MODULE.profile, action: ACTION.create }) },
  ],
  [
    'a kind without rows',
    { parts: organization(), kinds: kindsOf({ activityType: ACTIVITY_TYPE.stepUp, action: ACTION.search }) },
  ],
  ['a busy person', { parts: organization(busy) }],
  ['a person with three rows', { parts: organization(RARE.userId) }],
  [
    'a person with three rows, if they joined',
    { parts: [{ orgId: org, userId: RARE.userId, ifJoined: true }] },
  ],
  ['a person without rows', { parts: organization(999_999 as UserId) }],
  ['a rare action of a busy person', { parts: organization(busy), kinds: kindsOf({ action: RARE.action }) }],
  ['an old day', { parts: organization(), from: since('2026-01-02'), to: since('2026-01-03') }],
  ['a time before the first row', { parts: organization(), to: since('2020-01-01') }],
  [
    'a rare action on an old day',
    { parts: organization(), kinds: kindsOf({ action: RARE.action }), to: since('2026-01-03') },
  ],
  ['the reader’s own', { parts: mine }],
  ['the reader’s own of a rare kind', { parts: mine, kinds: kindsOf({ activityType: RARE.type }) }],
  ['the reader’s own of an old day', { parts: mine, to: since('2026-01-02') }],
])('%s is read by index, from the first page and from the middle', async ([, filter]) => {
  const most = LIMIT * filter.parts.length * (filter.kinds ? 12 : 1);
  for (const after of [undefined, middle]) {
    const { rows, scans, sorted } = await costOf(filter, after);
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThanOrEqual(most);
    expect(sorted).toBeLessThanOrEqual(most);
  }
});
