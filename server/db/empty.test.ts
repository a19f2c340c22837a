import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginDatabase } from '#server/db/empty.ts';

let place: string;
beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'portico-empty-'));
});
afterAll(() => rmSync(place, { recursive: true }));

async function tablesIn(folder: string) {
  const database = await PGlite.create(folder);
  const { rows } = await database.query("select tablename from pg_tables where schemaname = 'public'");
  await database.close();
  return rows;
}

test('a database begins as a copy of the one that was built, for its owner alone, and from nothing where none was', async () => {
  const [built, copy] = [path.join(place, 'built'), path.join(place, 'one/copy')];
  await beginDatabase(built, path.join(place, 'nowhere'));
  expect(await tablesIn(built)).toEqual([]);
  const database = await PGlite.create(built);
  await database.exec('create table kept (id int)');
  await database.close();

  // As a kill in the middle of it leaves it.
  mkdirSync(`${copy}.new`, { recursive: true });
  writeFileSync(path.join(`${copy}.new`, 'half'), '');
  await beginDatabase(copy, built);
  expect(readdirSync(path.dirname(copy))).toEqual(['copy']);
  expect(readdirSync(copy)).not.toContain('half');
  expect(process.platform === 'win32' || (statSync(copy).mode & 0o777) === 0o700).toBe(true);
  expect(await tablesIn(copy)).toEqual([{ tablename: 'kept' }]);
});
