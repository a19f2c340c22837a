import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { logFor, type Details } from '#contract/activity/recorded.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OrgId, UserId } from '#contract/wire.ts';
import { brokenChains } from './verify.ts';
import { recordActivity } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import { type Keys, openKeys } from '#server/keys.ts';
import { openTestDatabase } from '#server/testing/databases.ts';
import { MovedClock } from '#server/testing/start-app.ts';
import { emptyLog, runUnguarded } from '#server/testing/unguarded.ts';
import { useServer } from '#server/testing/use-app.ts';

const first = 'a key of thirty-two characters or more';
const keysOf = (...secretKeys: string[]) => openKeys({ secretKeys, dataDir: '/nowhere' });
const keys = keysOf(first);
const clock = new MovedClock();
const database = useServer(() => openTestDatabase());
let dataDir: string;
beforeEach(async () => {
  await emptyLog(database.sql);
  dataDir = mkdtempSync(path.join(tmpdir(), 'portico-chain-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const northwind = 3 as OrgId;
type More = { orgId?: OrgId | null; userId?: UserId; recordId?: number; information?: Details };
const record = ({ orgId = northwind, information, ...more }: More = {}, sealedWith: Keys = keys) =>
  transaction(database.sql, (tx) =>
    recordActivity(tx, { clock, keys: sealedWith }, `${logFor(orgId)}.profileInformation.update`, {
      orgId,
      userId: 7 as UserId,
      ...more,
      information,
    }),
  );
const verify = async (only?: string, openedWith: Keys = keys) => {
  const breaks = [];
  const deps = { sql: database.sql, keys: openedWith, clock, config: { dataDir } };
  for await (const { chain, position, problem } of brokenChains(deps, only))
    breaks.push(`${chain} ${position}: ${problem}`);
  return breaks;
};

describe('a change that bypasses the triggers is found', () => {
  beforeEach(async () => {
    for (const recordId of [1, 2, 3]) await record({ recordId, information: { name: ['a', 'b'] } });
  });

  test.for([
    { change: 'update activity set user_id = 8 where position = 2', breaks: '2: a broken link' },
    { change: 'update activity set org_id = 4 where position = 2', breaks: '2: in the wrong chain' },
    {
      change: `update activity set information = '{"name": ["a", "c"]}' where position = 2`,
      breaks: '2: another text',
    },
    { change: `update activity set information_mac = mac where position = 2`, breaks: '2: another text' },
    {
      change: `update activity set information = '{}', information_mac = mac where position = 2`,
      breaks: '2: a broken link',
    },
    {
      change: `update activity set key_id = 'other' where position = 2`,
      breaks: '2: sealed with an unknown key',
    },
    { change: 'update activity set mac = information_mac where position = 3', breaks: '3: a broken link' },
    { change: 'delete from activity where position = 2', breaks: '3: a gap' },
    { change: 'delete from activity where position = 3', breaks: '2: a cut tail' },
    { change: 'delete from activity', breaks: '0: a cut tail' },
    {
      change: `delete from activity where position = 3; update activity_chains set length = 2`,
      breaks: '2: a cut tail',
    },
    { change: `update activity_chains set length = 2`, breaks: '3: rows past its end' },
    { change: `update activity_chains set head = ''`, breaks: '3: a cut tail' },
    {
      change:
        'update activity set position = 9 where position = 2; update activity set position = 2 where position = 3; update activity set position = 3 where position = 9',
      breaks: '2: a broken link',
    },
  ])('$change', async ({ change, breaks }) => {
    expect(await verify()).toEqual([]);
    await runUnguarded(database.sql, ...change.split('; '));
    expect(await verify()).toEqual([`org:3 ${breaks}`]);
  });

  test('the first wrong row of each broken chain is reported, and nothing of the others', async () => {
    await record({ orgId: 4 as OrgId });
    await record({ orgId: 5 as OrgId });
    await record({ orgId: null });
    await runUnguarded(
      database.sql,
      `update activity set record_id = 9 where chain = 'org:3' and position > 1`,
      `update activity set record_id = 9 where chain = 'user:7'`,
      `delete from activity where chain = 'org:5'`,
    );
    expect(await verify()).toEqual([
      'org:3 2: a broken link',
      'org:5 0: a cut tail',
      'user:7 1: a broken link',
    ]);
    expect(await verify('org:4')).toEqual([]);
    expect(await verify('user:7')).toEqual(['user:7 1: a broken link']);
  });
});

test('an unknown chain is reported as such', async () => {
  await record();
  expect(await verify('org:3')).toEqual([]);
  for (const unknown of ['org:33', 'nonsense', ''])
    expect(await verify(unknown)).toEqual([`${unknown} 0: no such chain`]);
});

test('chains longer than a page and more chains than a page are walked to the end', async () => {
  for (let at = 0; at < 501; at += 1) await record({ recordId: at });
  for (let org = 100; org < 201; org += 1) await record({ orgId: org as OrgId });
  expect(await verify()).toEqual([]);
  await runUnguarded(
    database.sql,
    `update activity set record_id = 9 where position = 501`,
    `update activity set record_id = 9 where chain = 'org:200'`,
  );
  expect(await verify()).toEqual(['org:200 1: a broken link', 'org:3 501: a broken link']);
});

test('concurrent writes do not look like breaks', async () => {
  const writers = Array.from({ length: 40 }, (_, at) => record({ recordId: at }));
  for (let round = 0; round < 10; round += 1) expect(await verify()).toEqual([]);
  await Promise.all(writers);
  expect(await verify()).toEqual([]);
});

test('rows sealed with an older key verify while that key is kept', async () => {
  const changed = keysOf('another key of thirty-two characters', first);
  await record();
  await record({}, changed);
  expect(await verify(undefined, changed)).toEqual([]);
  expect(await verify()).toEqual(['org:3 2: sealed with an unknown key']);
});

describe('an anchor outside the database', () => {
  const anchor = (day: string, ...ends: object[]) => {
    mkdirSync(path.join(dataDir, 'anchors'), { recursive: true });
    const text = ends.map((end) => `${JSON.stringify(end)}\n`).join('');
    writeFileSync(path.join(dataDir, 'anchors', `${day}.jsonl`), text);
  };
  const endOf = async () => {
    const row = await database.sql.selectFrom('activity_chains').selectAll().executeTakeFirstOrThrow();
    return { chain: row.chain, length: row.length, head: Buffer.from(row.head).toString('hex') };
  };

  test('still holds after more rows', async () => {
    await record();
    anchor('2026-03-01', await endOf());
    await record();
    anchor('2026-03-02', await endOf());
    expect(await verify()).toEqual([]);
  });

  test('reveals a cut tail even if the chain’s end was changed as well', async () => {
    await record();
    const { head } = await endOf();
    await record();
    anchor('2026-03-01', await endOf());
    await runUnguarded(
      database.sql,
      `delete from activity where position = 2`,
      `update activity_chains set length = 1, head = '\\x${head}'`,
    );
    expect(await verify()).toEqual(['org:3 2: not as it was anchored']);
    expect(await verify('org:3')).toEqual(['org:3 2: not as it was anchored']);
    expect(await verify('org:4')).toEqual(['org:4 0: no such chain']);
  });

  test('reveals a chain that is gone, or was written again with the real key', async () => {
    await record();
    anchor('2026-03-01', await endOf());
    await emptyLog(database.sql);
    expect(await verify()).toEqual(['org:3 1: anchored, and gone']);
    expect(await verify('org:3')).toEqual(['org:3 1: anchored, and gone']);
    await record({ recordId: 2 });
    expect(await verify()).toEqual(['org:3 1: not as it was anchored']);
  });
});
