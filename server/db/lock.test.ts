import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderInUse, holdFolder } from '#server/db/lock.ts';

const script = `import { holdFolder } from '#server/db/lock.ts';
try {
  await holdFolder(process.argv[1]);
  process.stdin.resume();
  console.log('held');
} catch (error) {
  console.log(error.message);
}`;

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'portico-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Another process that tries to hold the folder; its first words say how that went. */
async function another(where = folder) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, where], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}
const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};
const inUse = (pid: number | undefined) =>
  `${folder} is in use by process ${pid}. Stop it first, or give this one its own DATA_DIR.`;

test('a second process is refused within two seconds, and told who holds the folder', async () => {
  const { child, said } = await another();
  expect(said).toBe('held');
  const started = performance.now();
  await expect(holdFolder(folder)).rejects.toThrow(new FolderInUse(folder, String(child.pid)));
  expect(performance.now() - started).toBeLessThan(2000);
  expect((await another()).said).toBe(inUse(child.pid));
});

test('a killed process holds nothing any more', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { child, said } = await another();
    expect(said).toBe('held');
    await kill(child);
  }
  await (await holdFolder(folder))();
});

test('who let go of it is no longer in the way', async () => {
  const release = await holdFolder(folder);
  expect((await another()).said).toBe(inUse(process.pid));
  await release();
  expect((await another()).said).toBe('held');
});

test('another way to the same folder is the same folder', async () => {
  const release = await holdFolder(folder);
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  expect((await another(link)).said).toContain(`in use by process ${process.pid}`);
  expect((await another(`${folder}/../${path.basename(folder)}/`)).said).toContain('in use');
  rmSync(link);
  await release();
});

test('another folder is free, and is made where it is missing', async () => {
  const release = await holdFolder(folder);
  const other = path.join(folder, 'deep/inside');
  expect((await another(other)).said).toBe('held');
  await release();
});

test('of many that start at once, one holds it', async () => {
  const all = await Promise.all([1, 2, 3, 4].map(() => another()));
  const holders = all.filter(({ said }) => said === 'held');
  expect(holders).toHaveLength(1);
  const others = all.filter(({ said }) => said !== 'held').map(({ said }) => said);
  expect(others).toEqual([1, 2, 3].map(() => inUse(holders[0]?.child.pid)));
});

test('a holder too busy to answer is still a holder', async () => {
  const { child } = await another();
  child.kill('SIGSTOP');
  const started = performance.now();
  await expect(holdFolder(folder)).rejects.toThrow(`in use by process`);
  expect(performance.now() - started).toBeLessThan(2000);
});
