import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { onDisk } from './disk.ts';
import { StorageAway } from './storage.ts';
import { describeStorage, listed, newName } from '#server/testing/stored-files.ts';

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const root = mkdtempSync(path.join(tmpdir(), 'portico-disk-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(root, 'each-')), 'deep/images');
});

describeStorage(() => onDisk(folder));

test('files are readable by their owner only, and nothing else is left in the folder', async () => {
  const name = newName();
  await onDisk(folder).put(name, Buffer.from('one'));
  expect(readdirSync(folder)).toEqual([name]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
});

test('an unused folder lists nothing', async () => {
  expect(await listed(onDisk(folder))).toEqual(new Map());
});

test('a full disk is reported, leaves no partial file, and the next file is stored', async () => {
  const [old, name] = [newName(), newName()];
  const storage = onDisk(folder);
  await storage.put(old, Buffer.from('old'));
  symlinkSync('/dev/full', path.join(folder, `${name}.part`));
  await expect(storage.put(name, Buffer.from('new'))).rejects.toThrow(StorageAway);
  expect(readdirSync(folder)).toEqual([old]);
  await storage.put(name, Buffer.from('new'));
  expect(await storage.get(old)).toEqual(Buffer.from('old'));
});

test('a hanging write fails in time, blocks few others, and files can still be read', async () => {
  const storage = onDisk(folder, { waiting: 64, limitMs: 2000 });
  const [old, ...names] = [newName(), newName(), newName(), newName(), newName()];
  await storage.put(old, Buffer.from('old'));
  // A write to a pipe without a reader waits forever.
  for (const name of names) execFileSync('mkfifo', [path.join(folder, `${name}.part`)]);
  const puts = names.map((name) => storage.put(name, Buffer.from('new')));
  for (const { status } of await Promise.allSettled(puts)) expect(status).toBe('rejected');
  expect(await storage.get(old)).toEqual(Buffer.from('old'));
  // Only two block a thread, because the others never began.
  const readers = names.map((name) => openSync(path.join(folder, `${name}.part`), O_RDONLY | O_NONBLOCK));
  const next = newName();
  await storage.put(next, Buffer.from('next'));
  expect(await storage.get(next)).toEqual(Buffer.from('next'));
  for (const reader of readers) closeSync(reader);
});

test('a hanging read fails in time, and works again later', async () => {
  const storage = onDisk(folder, { waiting: 64, limitMs: 2000 });
  const [old, ...names] = [newName(), newName(), newName(), newName(), newName()];
  await storage.put(old, Buffer.from('old'));
  // A read from a pipe without a writer waits forever.
  for (const name of names) execFileSync('mkfifo', [path.join(folder, name)]);
  const gets = [...names, old].map((name) => storage.get(name));
  for (const { status } of await Promise.allSettled(gets)) expect(status).toBe('rejected');
  // One of them blocks a thread; this frees it.
  closeSync(openSync(path.join(folder, names[0] ?? ''), O_WRONLY | O_NONBLOCK));
  expect(await storage.get(old)).toEqual(Buffer.from('old'));
});

test('a file cut short by a crash cannot be read, but is listed for the sweep', async () => {
  const name = newName();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.part`), 'hal');
  const storage = onDisk(folder);
  expect(await storage.get(name)).toBeUndefined();
  expect([...(await listed(storage)).keys()]).toEqual([`${name}.part`]);
  await storage.delete(`${name}.part`);
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that is a file fails every call with the same error', async () => {
  mkdirSync(path.dirname(folder), { recursive: true });
  writeFileSync(folder, 'in the way');
  const storage = onDisk(folder);
  await expect(storage.put(newName(), Buffer.from('x'))).rejects.toThrow(StorageAway);
  await expect(storage.get(newName())).rejects.toThrow(StorageAway);
  await expect(listed(storage)).rejects.toThrow(StorageAway);
});

test.each(['../secret', 'a/b', '..', '.hidden', '', 'a\u0000b', '/etc/passwd'])(
  'the name %j is refused',
  async (name) => {
    const storage = onDisk(folder);
    await expect(storage.get(name)).rejects.toThrow('no name of a stored file');
    await expect(storage.put(name, Buffer.from('x'))).rejects.toThrow('no name of a stored file');
    await expect(storage.delete(name)).rejects.toThrow('no name of a stored file');
  },
);
