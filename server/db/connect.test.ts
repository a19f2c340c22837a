import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { Refusal, refuse } from '#contract/errors.ts';
import { transaction } from './connect.ts';
import { claim, isUnreachable } from './constraints.ts';
import { openTestDatabase } from '#server/testing/databases.ts';
import { useServer } from '#server/testing/use-app.ts';

const now = new Date('2026-03-02T09:00:00.123Z');
const person = (email: string | null) => ({
  email,
  confirmed_at: null,
  country: null,
  time_zone: null,
  created_at: now,
});

const database = useServer(() => openTestDatabase());
afterEach(() => database.sql.deleteFrom('users').execute());

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

  test('rolls back when something is thrown, and throws the same error', async () => {
    const error = new Error('broken');
    await expect(
      write(() => {
        throw error;
      }),
    ).rejects.toBe(error);
    expect(await emails()).toEqual([]);
  });

  test('rolls back on a refusal, and returns it', async () => {
    const refusal = refuse('no_changes', { details: 'as it was' });
    expect(await write(() => refusal)).toBe(refusal);
    expect(await emails()).toEqual([]);
  });

  test('leaves the database ready for the next one after a refusal or an error', async () => {
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

  test('turns a violation of its constraint into its refusal', async () => {
    await insert('a@b.example');
    const answer = await claim('users_email_key', insert('a@b.example'));
    expect(answer).toBeInstanceOf(Refusal);
    expect(answer).toMatchObject({ name: 'email_id_exist' });
  });

  test('throws the violation of another constraint', async () => {
    await expect(claim('users_email_key', insert('A@B.example'))).rejects.toMatchObject({
      code: '23514',
      constraint: 'users_email_canonical',
    });
  });
});

describe('both engines return', () => {
  test('ids and counts as numbers, up to 2^53', async () => {
    const { rows } = await sql`select 9007199254740991::int8 as big, -5::int8 as less, count(*) as count,
      1::int2 as small, 7::int4 as middle from users`.execute(database.sql);
    expect(rows).toEqual([{ big: Number.MAX_SAFE_INTEGER, less: -5, count: 0, small: 1, middle: 7 }]);
  });

  test('any bytes as a Buffer', async () => {
    const bytes = Buffer.from([0, 1, 0x5c, 0x27, 0x80, 0xff]);
    const { rows } = await sql<{
      bytes: unknown;
    }>`select ${bytes}::bytea as bytes, ''::bytea as none`.execute(database.sql);
    expect(rows).toEqual([{ bytes, none: Buffer.alloc(0) }]);
    expect(Buffer.isBuffer(rows[0]?.bytes)).toBe(true);
  });

  test('moments as Dates to the millisecond, and JSON, flags and null as themselves', async () => {
    const json = { text: 'ü "', list: [1, null, { deep: true }] };
    const { rows } =
      await sql`select ${now}::timestamptz as at, '2026-03-02 10:00:00.5+01'::timestamptz as other,
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
