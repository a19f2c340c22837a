import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Database, openPostgres, transaction } from './connect.ts';
import { isUnreachable, STALLED } from './constraints.ts';
import { cableTo } from '#server/testing/cable.ts';
import { createPostgresDatabase, PATIENCE } from '#server/testing/databases.ts';

describe('a lost connection', () => {
  let cable: Awaited<ReturnType<typeof cableTo>>;
  let remote: Database;
  beforeAll(async () => {
    cable = await cableTo(await createPostgresDatabase());
    remote = openPostgres(cable.url, 3);
  });
  afterAll(() => remote.close());
  const answers = () => sql`select 1 as one`.execute(remote.reading).then(({ rows }) => rows.length);
  const isLost = (work: Promise<unknown>) => work.then(() => 'no error', isUnreachable);

  test('in the middle of a transaction fails it as unreachable, and the next query gets a new connection', async () => {
    const work = transaction(remote.reading, async (tx) => {
      await sql`create table half (id int)`.execute(tx);
      await cable.cut();
      await sql`select 1`.execute(tx);
    });
    expect(await isLost(work)).toBe(true);
    expect(await isLost(answers())).toBe(true);
    await cable.mend();
    expect(await answers()).toBe(1);
    const { rows } = await sql`select to_regclass('half') as half`.execute(remote.reading);
    expect(rows).toEqual([{ half: null }]);
  });

  test('in the middle of a query fails it at once', async () => {
    const slow = isLost(sql`select pg_sleep(60)`.execute(remote.reading));
    await expect.poll(answers).toBe(1);
    await cable.cut();
    expect(await slow).toBe(true);
    await cable.mend();
    await expect.poll(() => answers().catch(() => 0)).toBe(1);
  });

  test('while idle is replaced by the next query', async () => {
    await Promise.all([answers(), answers(), answers()]);
    await cable.cut();
    await cable.mend();
    await expect.poll(() => answers().catch(() => 0)).toBe(1);
  });

  test('that stays open but silent fails its query by timeout, and no other', async () => {
    await Promise.all([answers(), answers(), answers()]);
    cable.freeze();
    const silent = [1, 2, 3].map(() => isLost(answers()));
    expect(await Promise.all(silent)).toEqual([true, true, true]);
    expect(await answers()).toBe(1);
  });

  test('a long query is ended by the server, and a full pool refuses before that', async () => {
    let endCount = 0;
    const sleep = () => sql`select pg_sleep(600)`.execute(remote.reading).finally(() => (endCount += 1));
    const busy = [1, 2, 3].map(() => isLost(sleep()));
    expect(await isLost(answers())).toBe(true);
    expect(endCount).toBe(0);
    expect(await Promise.all(busy)).toEqual([true, true, true]);
  });
});

test('the reading pool cannot write', async () => {
  const database = openPostgres(await createPostgresDatabase(), Infinity, PATIENCE);
  const statement = sql`create table slip (id int)`.execute(database.reading);
  await expect(statement).rejects.toMatchObject({ code: '25006' });
  await database.close();
});

test('without its synchronous standby, reads go on; after the first change hangs, others are refused at once', async () => {
  const url = await createPostgresDatabase();
  const { pathname } = new URL(url);
  const name = sql.id(pathname.slice(1));
  const [before, remote] = [openPostgres(url), openPostgres(url)];
  onTestFinished(async () => void (await Promise.all([before.close(), remote.close()])));
  const change = () =>
    transaction(remote.reading, (tx) => sql`insert into notes values (1)`.execute(tx)).then(
      () => 'changed',
      ({ message }: Error) => message,
    );
  const waitingCommits = async () => {
    const { rows } = await sql`select 1 from pg_stat_activity where wait_event = 'SyncRep'`.execute(
      before.changing,
    );
    return rows.length;
  };
  await sql`create table notes (id int)`.execute(before.changing);
  await sql`alter database ${name} set synchronous_commit = on`.execute(before.changing);
  expect(await change()).not.toBe('changed');
  expect(await Promise.all([change(), change(), change()])).toEqual([STALLED, STALLED, STALLED]);
  expect(remote.pools?.isStalled()).toBe(true);
  const { rows } = await sql`select 1 as one`.execute(remote.reading);
  expect(rows).toEqual([{ one: 1 }]);

  await sql`alter database ${name} set synchronous_commit = off`.execute(before.changing);
  // While the hanging commit waits, the portal sends no test commit.
  await expect(waitingCommits()).resolves.toBe(1);
  // A test commit that connected before the change may still hang after it.
  const endCommits = sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
  await expect
    .poll(() => endCommits.execute(before.changing).then(change), { timeout: 6000 })
    .toBe('changed');
  expect(remote.pools?.isStalled()).toBe(false);
});
