import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginDatabase, setModes } from '#server/db/empty.ts';

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

test('a database begins as a private copy of the built one, or from nothing without one', async () => {
  const [built, copy] = [path.join(place, 'built'), path.join(place, 'one/copy')];
  await beginDatabase(built, path.join(place, 'nowhere'));
  expect(await tablesIn(built)).toEqual([]);
  const database = await PGlite.create(built);
  await database.exec('create table kept (id int)');
  await database.close();
  // The files of a release may be writable by nobody.
  setModes(built, 0o755, 0o444);

  // The state after a kill in the middle of it.
  mkdirSync(`${copy}.new`, { recursive: true });
  writeFileSync(path.join(`${copy}.new`, 'half'), '');
  await beginDatabase(copy, built);
  expect(readdirSync(path.dirname(copy))).toEqual(['copy']);
  expect(readdirSync(copy)).not.toContain('half');
  const isOwners = (name: string, mode: number) =>
    process.platform === 'win32' || (statSync(path.join(copy, name)).mode & 0o777) === mode;
  expect(isOwners('base', 0o700) && isOwners('PG_VERSION', 0o600)).toBe(true);
  expect(await tablesIn(copy)).toEqual([{ tablename: 'kept' }]);
});
