import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { logFor, type Details } from '#contract/activity/recorded.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { recordActivity } from './data.ts';
import { changes } from './rules.ts';
import { SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import { openKeys } from '#server/keys.ts';
import { openTestDatabase } from '#server/testing/databases.ts';
import { MovedClock } from '#server/testing/start-app.ts';
import { emptyLog } from '#server/testing/unguarded.ts';
import { useServer } from '#server/testing/use-app.ts';

const keys = openKeys({ secretKeys: ['a key of thirty-two characters or more'], dataDir: '/nowhere' });
const clock = new MovedClock();
const database = useServer(() => openTestDatabase());
beforeEach(() => emptyLog(database.sql));

const maya = 7 as UserId;
const northwind = 3 as OrgId;
type More = { orgId?: OrgId | null; userId?: UserId; recordId?: number; information?: Details };
const record = ({ orgId = northwind, information, ...more }: More = {}) =>
  transaction(database.sql, (tx) =>
    recordActivity(tx, { clock, keys }, `${logFor(orgId)}.profileInformation.update`, {
      orgId,
      userId: maya,
      ...more,
      information,
    }),
  );
const rows = () =>
  database.sql.selectFrom('activity').selectAll().orderBy('chain').orderBy('position').execute();

const verify = async () => {
  const breaks = [];
  for await (const broken of brokenChains({
    sql: database.sql,
    keys,
    clock,
    config: { dataDir: '/nowhere' },
  }))
    breaks.push(broken);
  return breaks;
};

test('each organization has one chain, and each person has one for rows outside organizations', async () => {
  await record();
  await record({ orgId: null });
  await record({ orgId: 4 as OrgId });
  await record({ userId: 8 as UserId });
  await record({ orgId: null, userId: 8 as UserId });
  expect((await rows()).map(({ chain, position }) => `${chain} ${position}`)).toEqual([
    'org:3 1',
    'org:3 2',
    'org:4 1',
    'user:7 1',
    'user:8 1',
  ]);
  expect(await verify()).toEqual([]);
});

test('a row has its person, act, time and the key that sealed it', async () => {
  clock.forward(123 * SECOND_MS + 456);
  await record({ recordId: 9, information: { first_name: ['Maya', 'Maja'] } });
  expect(await rows()).toMatchObject([
    {
      org_id: 3,
      user_id: 7,
      record_id: 9,
      created_at: clock.now(),
      information: { first_name: ['Maya', 'Maja'] },
      key_id: keys[0].id,
    },
  ]);
});

test.for([
  { what: 'nothing', information: {} },
  { what: 'letters of every kind', information: { name: ['Å\u0301 "\\ 🌉', '\u2028\t\n'] } },
  { what: 'keys in any order', information: { b: 1, a: { d: 1, c: [2, { f: null, e: true }] } } },
  { what: 'numbers', information: { n: [0, -1, 1.5, 1e21, 1e-7, 9007199254740991] } },
  { what: 'undefined values', information: { gone: undefined, list: [undefined, null] } },
  { what: 'a moment', information: { until: [null, new Date('2026-03-02T09:00:00Z')] } },
])('information with $what comes back as it was sealed', async ({ information }) => {
  await record({ information });
  expect(await verify()).toEqual([]);
});

test('a rolled back row leaves no gap', async () => {
  await record();
  await expect(
    transaction(database.sql, async (tx) => {
      const entry = { orgId: northwind, userId: maya };
      await recordActivity(tx, { clock, keys }, 'organization.profileInformation.update', entry);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await record();
  expect((await rows()).map(({ position }) => position)).toEqual([1, 2]);
  expect(await verify()).toEqual([]);
});

test('twenty writers at once leave one chain without gaps', async () => {
  const writers = Array.from({ length: 20 }, (_, at) => record({ recordId: at }));
  await Promise.all(writers);
  const written = await rows();
  expect(written.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  expect(new Set(written.map(({ record_id }) => record_id)).size).toBe(20);
  expect(await verify()).toEqual([]);
});

describe('the log can only grow', () => {
  beforeEach(async () => {
    await record({ information: { first_name: ['Maya', 'Maja'] } });
    await record();
  });

  test.for([
    `delete from activity`,
    `delete from activity where position = 2`,
    `truncate activity`,
    `update activity set user_id = 8`,
    `update activity set created_at = now()`,
    `update activity set information = '{"first_name": ["Maya", "Leo"]}'`,
    `update activity set information = '{}', action = 1`,
    `update activity set information = '{}', mac = ''`,
    `update activity set information = '{}', information_mac = ''`,
    `update activity set information = 'null'`,
    `update activity set information = '{}', key_id = 'other'`,
  ])('%s is refused', async (statement) => {
    const before = await rows();
    await expect(sql.raw(statement).execute(database.sql)).rejects.toThrow('never changed or removed');
    expect(await rows()).toEqual(before);
  });

  test.for([
    `delete from activity_chains`,
    `truncate activity_chains cascade`,
    `update activity_chains set head = ''`,
    `update activity_chains set length = length - 1`,
    `update activity_chains set length = length + 2`,
    `update activity_chains set chain = 'org:4', length = length + 1`,
  ])('%s is refused', async (statement) => {
    await expect(sql.raw(statement).execute(database.sql)).rejects.toThrow(
      /never changed or removed|only grow/,
    );
    expect(await verify()).toEqual([]);
  });

  test('the text of a row may be emptied, and the chain still holds', async () => {
    await sql`update activity set information = '{}' where position = 1`.execute(database.sql);
    expect((await rows())[0]?.information).toEqual({});
    expect(await verify()).toEqual([]);
  });
});

test('an unknown act, a field without a label and a missing organization do not compile', () => {
  const wrong = (tx: Tx) => [
    // @ts-expect-error No such act is in the person's log.
    recordActivity(tx, { clock, keys }, 'person.passkey.invite', { userId: maya }),
    recordActivity(tx, { clock, keys }, 'person.passkey.create', {
      userId: maya,
      // @ts-expect-error `shoe_size` has no label.
      information: changes({ shoe_size: 1 }, { shoe_size: 2 }),
    }),
    // @ts-expect-error The row is an organization's.
    recordActivity(tx, { clock, keys }, 'organization.permission.update', { userId: maya }),
  ];
  expect(wrong).toBeTypeOf('function');
});
