import { CompiledQuery } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { grow, type Grown, hotCalls } from '#server/testing/grown.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { useApp } from '#server/testing/use-app.ts';

// The portal's own statements on an activity log partitioned by month and sessions partitioned by token: each
// reads only the partitions that can hold its answer. Set up as docs/scaling.md says.

const MONTHS = ['2025_12', '2026_01', '2026_02', '2026_03', '2026_04'];
const PARTS = 8;

const app = useApp();
let grown: Grown;
beforeAll(async () => {
  grown = await grow(app, { people: 5000, members: 200, rows: 10_000 });
  await app.database.exclusively(async (script) => {
    await script(`
      create schema parted;
      create table parted.activity (like public.activity) partition by range (created_at);
      ${MONTHS.map((month) => {
        const first = `timestamptz '${month.replace('_', '-')}-01 00:00Z'`;
        return `create table parted.activity_${month} partition of parted.activity
          for values from (${first}) to (${first} + interval '1 month');`;
      }).join('\n')}
      create table parted.sessions (like public.sessions) partition by hash (token_hash);
      ${Array.from(
        { length: PARTS },
        (_, at) => `create table parted.sessions_${at} partition of parted.sessions
          for values with (modulus ${PARTS}, remainder ${at});`,
      ).join('\n')}
      insert into parted.activity select * from public.activity;
      insert into parted.sessions select * from public.sessions;
      alter table parted.activity add primary key (id, created_at), add unique (chain, position, created_at);
      alter table parted.sessions add primary key (id, token_hash), add unique (token_hash);`);
    const indexes = await script(`select indexdef from pg_indexes where schemaname = 'public'
      and tablename in ('activity', 'sessions') and indexdef not like 'CREATE UNIQUE%'`);
    for (const { indexdef } of indexes) await script(String(indexdef).replace(' ON public.', ' ON parted.'));
    await script('analyze');
  });
});

type Node = { 'Relation Name'?: string; 'Node Type': string; 'Actual Loops': number; Plans?: Node[] };
type Explained = { 'QUERY PLAN': readonly [{ Plan: Node }] };

/** The partitions that a call's statements read, and whether any was scanned whole. */
async function partsOf(name: string) {
  const queries = await queriesOf(() => grown.visitor.get(hotCalls(grown)[name]?.path ?? ''));
  const parts = new Set<string>();
  let whole = false;
  const visit = (node: Node) => {
    const table = node['Relation Name'];
    if (table && /^(activity|sessions)_\d/.test(table) && node['Actual Loops'] > 0) {
      parts.add(table);
      whole ||= node['Node Type'] === 'Seq Scan';
    }
    node.Plans?.forEach(visit);
  };
  await app.deps.sql.connection().execute(async (connection) => {
    const run = (text: string, values: readonly unknown[] = []) =>
      connection.executeQuery<Explained>(CompiledQuery.raw(text, [...values]));
    await run('set search_path = parted, public');
    for (const { text, values } of queries) {
      // Look-ups by id, and of the names of deleted people, search every partition by index, because the month
      // is not known.
      if (/ where "id" = any|record_id = person\.id/.test(text)) continue;
      const { rows } = await run(`explain (analyze, format json) ${text}`, values);
      const top = rows[0]?.['QUERY PLAN'][0].Plan;
      if (top) visit(top);
    }
    await run('reset search_path');
  });
  return { parts: [...parts].toSorted(), whole };
}

test('a session is read from the only partition that can hold it', async () => {
  const { parts, whole } = await partsOf('ustat');
  expect(parts).toEqual([expect.stringMatching(/^sessions_\d$/)]);
  expect(whole).toBe(false);
});

test('a person’s own sessions are found by index in each partition', async () => {
  const { parts, whole } = await partsOf('usersession');
  expect(parts).toHaveLength(PARTS);
  expect(whole).toBe(false);
});

const inLog = async (name: string) => {
  const { parts, whole } = await partsOf(name);
  expect(whole).toBe(false);
  return parts.filter((part) => part.startsWith('activity'));
};

test('a day of the log is read from its month', async () => {
  expect(await inLog('auditlogs, one day')).toEqual(['activity_2026_01']);
});

test.for(['auditlogs, first page', 'auditlogs, mine'])(
  '%s: only the newest months are read',
  async (name) => {
    expect(await inLog(name)).toEqual(['activity_2026_03', 'activity_2026_04']);
  },
);

test('rows of a rare kind are found by index in every month', async () => {
  expect(await inLog('auditlogs, a rare area')).toHaveLength(MONTHS.length);
});

test('a page that continues at a cursor starts with the month of that cursor', async () => {
  expect(await inLog('auditlogs, deep')).toEqual(['activity_2026_01']);
});
