import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { sha256 } from '#server/keys.ts';
import { standingKey, findStandings } from '#server/members/standing/data.ts';
import { findCallers } from '#server/sessions/data.ts';
import { applicationSteps } from './application-steps.ts';
import { grow, type Grown, hotCalls } from './grown.ts';
import { confirmed, newEmail, PASSWORD } from './people.ts';
import { genericPlanOf, keptPlanOf, planOf } from './plans.ts';
import { queriesOf, type Query } from './queries.ts';
import { useApp } from './use-app.ts';
import { type Answer, responseOf } from './visitor.ts';

// Each hot call needs a fixed number of statements, independent of the number of members, devices and rows. Each
// statement uses an index and reads little more than the rows it returns.

const ROWS_MAX = 1500;
const AT_ONCE = 8;

const app = useApp({ MAX_MEMBERS_PER_ORG: '20000' });
let grown: Grown;
beforeAll(async () => {
  grown = await grow(app, { people: 20_000, members: 10_000, rows: 40_000 });
}, 180_000);

/** The query to run once more; a record is inserted under another hash. */
const again = ({ text, values, ms }: Query): Query => {
  const isNew = text.includes('insert into provider_records');
  return {
    text,
    ms,
    values: values.map((value) => (isNew && Buffer.isBuffer(value) ? randomBytes(32) : value)),
  };
};

/** The statements that scan a whole table or read many rows. */
async function expensiveOf(queries: readonly Query[], database = app.deps.sql) {
  const expensive = [];
  for (const query of queries) {
    const plan = await planOf(database, again(query));
    const forAnyValues = await genericPlanOf(database, again(query));
    const scannedTables = [...plan.scannedTables, ...forAnyValues.scannedTables];
    const rows = Math.max(plan.rows, (await keptPlanOf(database, again(query))).rows);
    if (scannedTables.length > 0 || rows >= ROWS_MAX)
      expensive.push({ text: query.text, scannedTables, rows });
  }
  return expensive;
}

const names = Object.keys(hotCalls({ orgId: 0, roleId: 0 }));
test.for(names)('%s', async (name) => {
  const call = hotCalls(grown)[name];
  const queries = await queriesOf(async () => responseOf(await grown.visitor.get(call?.path ?? '')));
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.map(({ text }) => text).slice(call?.queries)).toEqual([]);
  expect(await expensiveOf(queries)).toEqual([]);
});

const rights = { create: 0, read: 1, update: 0, delete: 0 };
const permission = { sign: Object.fromEntries([1, 2, 3, 4, 5].map((module) => [module, rights])) };
const someone = (email: string) => ({ emailId: email, password: PASSWORD, timezone: '' });
const orgAndRole = () => ({ org_id: grown.orgId, role_id: grown.roleId });
type Write = readonly [name: string, queriesMax: number, send: () => Promise<Answer>];
const writes: readonly Write[] = [
  ['permission save', 10, () => grown.visitor.put('/api/role', { ...orgAndRole(), permission })],
  ['sign-up', 15, () => app.visitor().post('/api/signup', someone(newEmail()))],
  [
    'invite',
    18,
    () => grown.visitor.post('/api/orgusers', { ...orgAndRole(), first_name: 'Tom', email_id: newEmail() }),
  ],
];
test.for(writes)('%s', async ([, queriesMax, send]) => {
  const queries = await queriesOf(async () => responseOf(await send()));
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.map(({ text }) => text).slice(queriesMax)).toEqual([]);
});

test('sign-in in a known browser', async () => {
  const { visitor, email } = await confirmed(app);
  const { emailId, ...more } = someone(email);
  const signIn = () => visitor.post('/api/signin', { email_id: emailId, ...more });
  const queries = await queriesOf(async () => responseOf(await signIn()));
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.map(({ text }) => text).slice(18)).toEqual([]);
});

test('the steps of an application', async () => {
  const steps = await applicationSteps(app, grown.visitor);
  for (const [name, { queries: queriesMax, run }] of Object.entries(steps)) {
    const queries = await queriesOf(run);
    // A step writes in one statement, which may run again.
    const expensive = await expensiveOf(queries, app.database.changing);
    const tooMany = queries.filter(({ text }) => !/^(begin|commit)$/.test(text)).slice(queriesMax);
    expect({ name, isAsked: queries.length > 0, expensive, tooMany }).toEqual({
      name,
      isAsked: true,
      expensive: [],
      tooMany: [],
    });
  }
});

test('PostgreSQL keeps the generic plan of prepared statements', async () => {
  for (let time = 0; time < 8; time += 1)
    for (const { path } of Object.values(hotCalls(grown))) await responseOf(await grown.visitor.get(path));
  const often = sql<{ statement: string; isKept: boolean }>`
    select statement, generic_plans > 0 as "isKept" from pg_prepared_statements
    where name like 'portico%' and custom_plans + generic_plans > 5`;
  const { rows } = await often.execute(app.database.reading);
  const statements = rows.map(({ statement }) => statement).join('\n');
  for (const part of ['token_hash', 'as standing', '"activity_origins"']) expect(statements).toContain(part);
  expect(rows.filter(({ isKept }) => !isKept)).toEqual([]);
});

test('callers and standings of one turn are found by two cheap queries', async () => {
  const people = await app.deps.sql
    .selectFrom('memberships')
    .select(['user_id as userId', 'org_id as orgId'])
    .where('status', '=', MEMBER_STATUS.active)
    // Other planted people are partly being deleted and have no valid session. The founder's id is random.
    .where(sql<boolean>`user_id % 5 = 0 and user_id < 2 ^ 40`)
    .limit(AT_ONCE)
    .execute();
  const hashes = people.map(({ userId }) => sha256(String(userId)).toString('hex'));
  const keys = people.flatMap(({ userId, orgId }) => [
    standingKey(userId, orgId),
    standingKey(userId, undefined),
  ]);
  const queries = await queriesOf(async () => {
    expect((await findCallers(app.deps, hashes)).size).toBe(AT_ONCE);
    expect((await findStandings(app.deps.sql, keys)).size).toBe(2 * AT_ONCE);
  });
  expect(queries).toHaveLength(2);
  expect(await expensiveOf(queries)).toEqual([]);
});
