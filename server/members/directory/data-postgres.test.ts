import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { memberSorts } from '#contract/members/calls.ts';
import type { MemberId, OrgId, RoleId } from '#contract/wire.ts';
import { shownMembers } from '#server/members/data.ts';
import { activeSuperAdmins } from '#server/members/standing/data.ts';
import { directoryQuery, type Filter, type Page } from './data.ts';
import { crowd } from '#server/testing/crowd.ts';
import { customRole, founder } from '#server/testing/people.ts';
import { getRow } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';

const MEMBERS = 100_000;
const names = ['Sales', 'Clerk', 'Driver', 'Buyer', 'Guard', 'Pilot'];

const app = useApp();
let orgId: OrgId;
const roles: RoleId[] = [];
beforeAll(async () => {
  orgId = (await founder(app)).orgId as OrgId;
  for (const name of names) roles.push((await customRole(app, orgId, name)) as RoleId);
  await crowd(app, orgId, roles, MEMBERS);
});

const ask = (filter: Filter, page: Page) => {
  const { sql: database } = app.deps;
  const from = { members: shownMembers(database), superAdmins: activeSuperAdmins(database, orgId) };
  return directoryQuery(database, from, { orgId, filter, page });
};

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
};
type Plan = { 'QUERY PLAN': { Plan: Node }[] };

/** How the database found a page: whether it scanned the table, and how many rows it read. */
async function costOf(filter: Filter, page: Page) {
  const query = ask(filter, page);
  const { rows: plans } = await sql<Plan>`explain (analyze, format json) ${query}`.execute(app.deps.sql);
  const [plan] = plans;
  let [walked, rows] = [false, 0];
  const visit = (node: Node) => {
    const scans = node['Relation Name'] === 'memberships';
    walked ||= scans && node['Node Type'] === 'Seq Scan';
    if (scans) rows += node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    node.Plans?.forEach(visit);
  };
  const top = plan?.['QUERY PLAN'][0]?.Plan;
  if (!top) throw new Error('no plan');
  visit(top);
  return { walked, rows };
}

/** The cursor of a page in the middle, for each order. */
async function middle(sort: Page['sort']) {
  const row = await getRow(app, 'memberships', ['id', 'name_key', 'email_key'], { id: MEMBERS / 2 });
  const keys = { name: row.name_key, email: row.email_key, role: 'sales', status: '2' };
  return { id: row.id, key: sort ? keys[sort] : '' };
}

const orders = [undefined, ...memberSorts].flatMap((sort) =>
  [false, true].flatMap((descending) => [false, true].map((isDeep) => ({ sort, descending, isDeep }))),
);
/** A first page upwards, and a deep one downwards. */
const few = orders.filter(({ descending, isDeep }) => descending === isDeep);
const pageOf = async ({ sort, descending, isDeep }: (typeof orders)[number]): Promise<Page> => ({
  sort,
  descending,
  after: isDeep ? await middle(sort) : undefined,
  limit: 101,
});

test('each filter of the cases below has enough matches', async () => {
  const count = async (filter: Filter) => {
    const query = ask(filter, { descending: false, limit: 1 });
    return (await query.execute(app.deps.sql)).rows[0]?.total;
  };
  expect(await count({})).toBe(MEMBERS + 1);
  expect(await count({ status: 4 })).toBeGreaterThan(1000);
  expect(await count({ roleId: roles[5] })).toBeGreaterThan(1000);
  for (const search of ['example', '@northwind.example', 'northwind p'])
    expect(await count({ search })).toBe(MEMBERS + (search === 'northwind p' ? 0 : 1));
  expect(await count({ search: 'northwind', status: 4 })).toBe(await count({ status: 4 }));
});

describe('the cost of a page does not depend on the size of the organization', () => {
  test.each(orders)('by $sort, descending $descending, deep $isDeep', async (order) => {
    const { walked, rows } = await costOf({}, await pageOf(order));
    expect(walked).toBe(false);
    expect(rows).toBeLessThan(1000);
  });
});

describe.each<[string, () => Filter]>([
  ['one status', () => ({ status: 4 })],
  ['a common role', () => ({ roleId: roles[0] })],
  ['a rare role', () => ({ roleId: roles[5] })],
  ['a rare role and status', () => ({ roleId: roles[5], status: 3 })],
  ['one letter', () => ({ search: 'B' })],
  ['the start of a name', () => ({ search: 'Éan' })],
  ['the start of an address', () => ({ search: 'pab1' })],
  ['nobody’s name', () => ({ search: 'zzzzq' })],
  ['a word of the name and one of the address', () => ({ search: '@northwind éan' })],
  ['two words of many members', () => ({ search: '@northwind e' })],
  ['a word of all members, in a rare role', () => ({ search: 'northwind', roleId: roles[5] })],
  ['a word of the members of a rare role', () => ({ search: 'ean', roleId: roles[5] })],
])('%s: each order finds its page by index', (_, filter) => {
  test.each(few)('by $sort, descending $descending, deep $isDeep', async (order) => {
    const { walked, rows } = await costOf(filter(), await pageOf(order));
    expect(walked).toBe(false);
    expect(rows).toBeLessThan(MEMBERS / 5);
  });
});

test('the members of one role are found at once even if they joined last', async () => {
  const late = (await customRole(app, orgId, 'Late')) as RoleId;
  const last = sql<
    MemberId[]
  >`array(select id from memberships where org_id = ${orgId} order by id desc limit 3000)`;
  const memberships = app.deps.sql.updateTable('memberships').set({ role_id: late });
  await memberships.where('id', '=', sql<MemberId>`any(${last})`).execute();
  await sql`analyze memberships`.execute(app.deps.sql);
  for (const descending of [false, true])
    for (const id of [undefined, MEMBERS - 1000]) {
      const after = id === undefined ? undefined : { key: '', id };
      // The rows of the page, plus the counted Super Admin.
      const { walked, rows } = await costOf({ roleId: late }, { descending, after, limit: 101 });
      expect([walked, rows]).toEqual([false, 102]);
    }
});
