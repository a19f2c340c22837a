import { readdirSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Database, openPostgres } from './connect.ts';
import { migrate } from './migrate.ts';
import { createPostgresDatabase, lockedHere, PATIENCE } from '#server/testing/databases.ts';
import { andNext, NEXT } from '#server/testing/next-release.ts';
import { PASSWORD } from '#server/testing/people.ts';
import { startApp, startBeside } from '#server/testing/start-app.ts';
import { responseOf, Visitor } from '#server/testing/visitor.ts';

const files = readdirSync(path.join(import.meta.dirname, 'migrations')).toSorted();

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const handle of open.splice(0).toReversed()) await handle.close();
});
const closedLater = <T extends Database>(database: T) => {
  open.push(database);
  return database;
};

const applied = async ({ changing: handle }: Database) => {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(handle);
  return rows.map(({ name }) => name);
};

describe('concurrent starts', () => {
  test('apply each file once', async () => {
    const url = await createPostgresDatabase();
    const starts = [1, 2, 3, 4, 5].map(() => migrate(closedLater(openPostgres(url, 1, PATIENCE))));
    const results = await Promise.all(starts);
    expect(results.flat()).toEqual(files);
    expect(await applied(closedLater(openPostgres(url, 1, PATIENCE)))).toEqual(files);
  });

  test('wait for each other longer than a query may take', async () => {
    const url = await createPostgresDatabase();
    const [slow, other] = [closedLater(openPostgres(url, 1)), closedLater(openPostgres(url, 1))];
    const holding = slow.exclusively(async (script) => {
      await script('select pg_advisory_xact_lock(7041776)');
      await script('select pg_sleep(3.5)');
    });
    const locks = sql`select 1 from pg_locks where locktype = 'advisory' and ${lockedHere}`;
    await expect.poll(async () => (await locks.execute(other.changing)).rows.length).toBe(1);
    expect(await migrate(other)).toEqual(files);
    await holding;
  });
});

describe('a newer release', () => {
  const newest = files.at(-1)?.slice(0, 4);
  const additive = `
    create table nicknames (user_id bigint constraint nicknames_pkey primary key, nickname text not null);
    alter table users add column nickname text;`;

  test('migrates while an older process serves, and processes of the older release can still start', async () => {
    const older = await startApp();
    open.push(older);
    const visitor = older.visitor();
    const account = { emailId: 'maya@northwind.example', password: PASSWORD, timezone: 'UTC' };
    responseOf(await visitor.post('/api/signup', account));
    const rename = async (first_name: string) =>
      responseOf<{ first_name: string }>(await visitor.put('/api/user', { first_name })).first_name;
    const over = new AbortController();
    const migrating = migrate(
      closedLater(openPostgres(older.database.url ?? '', 1)),
      andNext(additive),
    ).finally(() => over.abort());
    let writes = 0;
    for (; !over.signal.aborted || writes < 3; writes += 1)
      expect(await rename(`Maya ${writes}`)).toBe(`Maya ${writes}`);
    expect(await migrating).toEqual([NEXT]);

    const again = await startBeside(older);
    open.push(again);
    const elsewhere = new Visitor(again.url, visitor.cookies);
    expect(responseOf(await elsewhere.get('/api/user'))).toMatchObject({ first_name: `Maya ${writes - 1}` });
    responseOf(await again.visitor().post('/api/signup', { ...account, emailId: 'noah@northwind.example' }));
    expect(await rename('Maya')).toBe('Maya');
  });

  test('retries while another transaction locks a table, so that queries do not wait behind it for long', async () => {
    const url = await createPostgresDatabase();
    const [reader, other, next] = [1, 1, 1].map((size) => closedLater(openPostgres(url, size)));
    if (!reader || !other || !next) throw new Error('three ways to one database');
    await migrate(other);
    const { promise: end, resolve: endTransaction } = Promise.withResolvers<void>();
    onTestFinished(() => endTransaction());
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const reading = reader.exclusively(async (script) => {
      await script('select count(*) from users');
      lock();
      await end;
    });
    await locked;
    const migrating = migrate(next, andNext(additive));
    const waitingLocks = sql`
      select 1 from pg_locks where relation = 'users'::regclass and not granted and ${lockedHere}`;
    for (let rounds = 0; rounds < 2; rounds += 1) {
      await expect
        .poll(async () => (await waitingLocks.execute(other.changing)).rows.length, { interval: 5 })
        .toBe(1);
      await sql`select count(*) from users`.execute(other.changing);
    }
    endTransaction();
    await reading;
    expect(await migrating).toEqual([NEXT]);
  });

  test.each([
    ['this release starts after a migration that needs', newest, 'served'],
    [
      'this release does not start after a migration that needs',
      '8999',
      expect.stringMatching(/^the database is ahead of this release: 9000_next.sql is /),
    ],
  ])('%s %s', async (_what, needs, result) => {
    const url = await createPostgresDatabase();
    const database = closedLater(openPostgres(url, 1, PATIENCE));
    await migrate(database, andNext(`-- needs ${needs}\nalter table users drop column phone_e164;`));
    const start = migrate(database).then(
      () => 'served',
      (error: Error) => error.message,
    );
    expect(await start).toEqual(result);
  });
});
