import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Refusal, refuse } from '#contract/errors.ts';
import { type Database, openPostgres, transaction } from '#server/db/connect.ts';
import { claim, isUnreachable } from '#server/db/constraints.ts';
import { cableTo } from '#server/testing/cable.ts';
import { createPostgresDatabase, openTestDatabase, type TestDatabase } from '#server/testing/databases.ts';

const onPostgres = process.env['TEST_ENGINE'] === 'postgres';
const now = new Date('2026-03-02T09:00:00.123Z');
const person = (email: string | null) => ({ email, confirmed_at: null, country: null, time_zone: null, created_at: now });

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.sql.deleteFrom('users').execute());
afterAll(() => database.close());

const emails = async () => {
  const rows = await database.sql.selectFrom('users').select('email').orderBy('id').execute();
  return rows.map(({ email }) => email);
};

describe('a transaction', () => {
  const write = (end: () => unknown) =>
    transaction(database.sql, async (tx) => {
      await tx.insertInto('users').values(person('a@b.example')).execute();
      return end();
    });

  test('keeps what it wrote and returns what it was given', async () => {
    expect(await write(() => 'done')).toBe('done');
    expect(await emails()).toEqual(['a@b.example']);
  });

  test('undoes all when something is thrown, which comes through as it is', async () => {
    const error = new Error('broken');
    await expect(
      write(() => {
        throw error;
      }),
    ).rejects.toBe(error);
    expect(await emails()).toEqual([]);
  });

  test('undoes all on a refusal, which comes back as a value', async () => {
    const refusal = refuse('no_changes', { details: 'as it was' });
    expect(await write(() => refusal)).toBe(refusal);
    expect(await emails()).toEqual([]);
  });

  test('leaves the database ready for the next one after each of these', async () => {
    for (let round = 0; round < 12; round += 1) {
      await write(() => refuse('no_changes'));
      await write(() => Promise.reject(new Error('broken'))).catch(() => undefined);
    }
    await write(() => 'done');
    expect(await emails()).toEqual(['a@b.example']);
  });
});

describe('claim()', () => {
  const insert = (email: string | null) =>
    database.sql.insertInto('users').values(person(email)).returning('email').executeTakeFirstOrThrow();

  test('lets a write through that breaks nothing', async () => {
    expect(await claim('users_email_key', insert('a@b.example'))).toEqual({ email: 'a@b.example' });
  });

  test('turns the break of its constraint into the refusal it means', async () => {
    await insert('a@b.example');
    const answer = await claim('users_email_key', insert('a@b.example'));
    expect(answer).toBeInstanceOf(Refusal);
    expect(answer).toMatchObject({ name: 'email_id_exist' });
  });

  test('lets the break of another constraint through as the error it is', async () => {
    await expect(claim('users_email_key', insert('A@B.example'))).rejects.toMatchObject({
      code: '23514',
      constraint: 'users_email_canonical',
    });
  });

  test('of two at once, one wins', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => claim('users_email_key', insert('a@b.example'))));
    expect(answers.filter((answer) => answer instanceof Refusal)).toHaveLength(3);
    expect(await emails()).toEqual(['a@b.example']);
  });
});

describe('values arrive alike on both engines', () => {
  test('ids and counts as numbers, up to 2^53', async () => {
    const { rows } = await sql`select 9007199254740991::int8 as big, -5::int8 as less, count(*) as count,
      1::int2 as small, 7::int4 as middle from users`.execute(database.sql);
    expect(rows).toEqual([{ big: Number.MAX_SAFE_INTEGER, less: -5, count: 0, small: 1, middle: 7 }]);
  });

  test('bytes as a Buffer, whatever bytes they are', async () => {
    const bytes = Buffer.from([0, 1, 0x5c, 0x27, 0x80, 0xff]);
    const { rows } = await sql<{ bytes: unknown }>`select ${bytes}::bytea as bytes, ''::bytea as none`.execute(
      database.sql,
    );
    expect(rows).toEqual([{ bytes, none: Buffer.alloc(0) }]);
    expect(Buffer.isBuffer(rows[0]?.bytes)).toBe(true);
  });

  test('moments as Dates to the millisecond, and JSON, flags and null as themselves', async () => {
    const json = { text: 'ü "', list: [1, null, { deep: true }] };
    const { rows } = await sql`select ${now}::timestamptz as at, '2026-03-02 10:00:00.5+01'::timestamptz as other,
      ${JSON.stringify(json)}::jsonb as json, true as flag, null::text as nothing`.execute(database.sql);
    const other = new Date('2026-03-02T09:00:00.500Z');
    expect(rows).toEqual([{ at: now, other, json, flag: true, nothing: null }]);
  });
});

describe('exclusively()', () => {
  test('runs several statements as one transaction and returns the last one’s rows', async () => {
    const rows = await database.exclusively((script) =>
      script(`insert into users (email, created_at) values ('a@b.example', now()); select email from users`),
    );
    expect(rows).toEqual([{ email: 'a@b.example' }]);
    const broken = database.exclusively(async (script) => {
      await script(`insert into users (email, created_at) values ('c@d.example', now())`);
      await script('no sql');
    });
    await expect(broken).rejects.toThrow('syntax');
    expect(await emails()).toEqual(['a@b.example']);
  });
});

const error = (message: string, code?: string) => Object.assign(new Error(message), { code });
test.for([
  { is: true, of: error('', 'ECONNREFUSED') },
  { is: true, of: error('', 'ENOTFOUND') },
  { is: true, of: error('', 'EAI_AGAIN') },
  { is: true, of: error('', 'EHOSTUNREACH') },
  { is: true, of: error('', '57P01') },
  { is: true, of: error('', '57P03') },
  { is: true, of: error('', '08006') },
  { is: true, of: error('', '53300') },
  { is: true, of: error('', '57014') },
  { is: true, of: error('', '55P03') },
  { is: true, of: error('timeout exceeded when trying to connect') },
  { is: true, of: error('Connection terminated unexpectedly') },
  { is: true, of: error('Client has encountered a connection error and is not queryable') },
  { is: true, of: error('PGlite is closed') },
  { is: false, of: error('', '23505') },
  { is: false, of: error('', '42P01') },
  { is: false, of: error('', 'ENOENT') },
  { is: false, of: error('a bug') },
  { is: false, of: 'ECONNREFUSED' },
  { is: false, of: null },
])('$of means an unreachable database: $is', ({ of, is }) => {
  expect(isUnreachable(of)).toBe(is);
});

describe.runIf(onPostgres)('a lost connection', () => {
  let cable: Awaited<ReturnType<typeof cableTo>>;
  let remote: Database;
  beforeAll(async () => {
    cable = await cableTo(await createPostgresDatabase());
    remote = openPostgres(cable.url, 3);
  });
  afterAll(() => remote.close());
  const answers = () => sql`select 1 as one`.execute(remote.sql).then(({ rows }) => rows.length);
  const failed = (work: Promise<unknown>) => work.then(() => 'no error', isUnreachable);

  test('in the middle of a transaction fails it as unreachable, and the next query finds another', async () => {
    const work = transaction(remote.sql, async (tx) => {
      await sql`create table half (id int)`.execute(tx);
      await cable.cut();
      await sql`select 1`.execute(tx);
    });
    expect(await failed(work)).toBe(true);
    expect(await failed(answers())).toBe(true);
    await cable.mend();
    expect(await answers()).toBe(1);
    const { rows } = await sql`select to_regclass('half') as half`.execute(remote.sql);
    expect(rows).toEqual([{ half: null }]);
  });

  test('in the middle of a query fails it at once', async () => {
    const slow = failed(sql`select pg_sleep(2)`.execute(remote.sql));
    await expect.poll(answers).toBe(1);
    await cable.cut();
    expect(await slow).toBe(true);
    await cable.mend();
    await expect.poll(() => answers().catch(() => 0)).toBe(1);
  });

  test('while it lies idle goes unnoticed', async () => {
    await Promise.all([answers(), answers(), answers()]);
    await cable.cut();
    await cable.mend();
    await expect.poll(() => answers().catch(() => 0)).toBe(1);
  });

  test('a query over three seconds is ended by the server, and a full pool turns away after two', async () => {
    const started = performance.now();
    const busy = [1, 2, 3].map(() => failed(sql`select pg_sleep(60)`.execute(remote.sql)));
    expect(await failed(answers())).toBe(true);
    expect(performance.now() - started).toBeLessThan(2800);
    expect(await Promise.all(busy)).toEqual([true, true, true]);
    expect(performance.now() - started).toBeLessThan(4500);
  });
});
