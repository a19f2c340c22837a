import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openInstallation } from '#server/open.ts';
import { createPostgresDatabase } from '#server/testing/databases.ts';
import { everyRow } from '#server/testing/every-row.ts';
import { seed } from '../seeding/seed.ts';
import { operate } from './commands.ts';

const root = mkdtempSync(path.join(tmpdir(), 'portico-copies-'));
const file = path.join(root, 'backup.tar.gz');
const environmentOf = async (name: string) => ({
  DATA_DIR: path.join(root, name),
  DATABASE_URL: await createPostgresDatabase(),
  SECRET_KEY: 'a-secret-of-exactly-32-characters',
});
let here: Awaited<ReturnType<typeof environmentOf>>;
beforeAll(async () => {
  here = await environmentOf('here');
  await seed(here, { besideOthers: false, tell: () => undefined });
  mkdirSync(path.join(here.DATA_DIR, 'images'), { recursive: true });
  writeFileSync(path.join(here.DATA_DIR, 'images', 'A'.repeat(43)), 'an icon');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const rowsOf = async (environment: typeof here) => {
  const { deps, database } = await openInstallation(readConfig(environment), pino({ level: 'silent' }));
  const rows = await everyRow(deps.sql, { but: ['activity', 'activity_chains'] });
  await database.close();
  return rows;
};

test('a dump taken while the portal is open comes back whole into another database', async () => {
  const running = await openInstallation(readConfig(here), pino({ level: 'silent' }));
  const made = await operate(['backup', file], here);
  expect([made.code, made.errors]).toEqual([0, '']);
  expect(made.out).toContain('SECRET_KEY is not in it');
  await running.database.close();

  const there = await environmentOf('there');
  const keyless = await operate(['restore', file], { ...there, SECRET_KEY: '' });
  expect([keyless.code, keyless.errors]).toEqual([1, expect.stringContaining('set the same one')]);
  expect(await operate(['restore', file], there)).toMatchObject({ code: 0, errors: '' });
  expect((await operate(['verify'], there)).code).toBe(0);
  expect(await rowsOf(there)).toEqual(await rowsOf(here));
  expect(readFileSync(path.join(there.DATA_DIR, 'images', 'A'.repeat(43)), 'utf8')).toBe('an icon');

  const again = await operate(['restore', file], { ...here, DATA_DIR: path.join(root, 'again') });
  expect([again.code, again.errors]).toEqual([1, expect.stringContaining('has tables already')]);
  const embedded = await operate(['restore', file], {
    ...there,
    DATABASE_URL: '',
    DATA_DIR: path.join(root, 'embedded'),
  });
  expect([embedded.code, embedded.errors]).toEqual([1, expect.stringContaining('is of PostgreSQL')]);
});
