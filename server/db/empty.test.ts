import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbedded, setModes } from './empty.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'portico-empty-'));
});
afterAll(() => rmSync(root, { recursive: true }));

async function tablesIn(folder: string) {
  const database = await PGlite.create(folder);
  const { rows } = await database.query("select tablename from pg_tables where schemaname = 'public'");
  await database.close();
  return rows;
}

test('a new database is a private copy of the built one, or is created if none is built', async () => {
  const [built, copy] = [path.join(root, 'built'), path.join(root, 'one/copy')];
  await createEmbedded(built, path.join(root, 'nowhere'));
  expect(await tablesIn(built)).toEqual([]);
  const database = await PGlite.create(built);
  await database.exec('create table notes (id int)');
  await database.close();
  // The files of an installation may be read-only.
  setModes(built, 0o755, 0o444);

  // The remains of a killed start.
  mkdirSync(`${copy}.new`, { recursive: true });
  writeFileSync(path.join(`${copy}.new`, 'half'), '');
  await createEmbedded(copy, built);
  expect(readdirSync(path.dirname(copy))).toEqual(['copy']);
  expect(readdirSync(copy)).not.toContain('half');
  const isOwners = (name: string, mode: number) =>
    process.platform === 'win32' || (statSync(path.join(copy, name)).mode & 0o777) === mode;
  expect(isOwners('base', 0o700) && isOwners('PG_VERSION', 0o600)).toBe(true);
  expect(await tablesIn(copy)).toEqual([{ tablename: 'notes' }]);
});
