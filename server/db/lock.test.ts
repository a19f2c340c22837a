import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { FolderInUse, lockFolder } from './lock.ts';

const script = `import { lockFolder } from '#server/db/lock.ts';
try {
  globalThis.release = await lockFolder(process.argv[1]);
  process.stdin.resume();
  console.log('locked');
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

/** Another process that tries to lock the folder; `result` is `locked` or its error. */
async function another(where = folder, [program, ...words]: readonly string[] = [process.execPath]) {
  const child = spawn(program ?? '', [...words, '--input-type=module', '-e', script, where], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, result: output.toString().trim() };
}
const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};
const inUse = (pid: number | string | undefined) =>
  `${folder} is in use by process ${pid}. Stop it first, or give this one its own DATA_DIR.`;

test('a second process is refused within two seconds and learns the holder', async () => {
  const { child, result } = await another();
  expect(result).toBe('locked');
  const started = performance.now();
  await expect(lockFolder(folder)).rejects.toThrow(new FolderInUse(folder, String(child.pid)));
  expect(performance.now() - started).toBeLessThan(2000);
  expect((await another()).result).toBe(inUse(child.pid));
});

test('a killed process no longer holds the folder', async () => {
  const { child, result } = await another();
  expect(result).toBe('locked');
  await kill(child);
  (await lockFolder(folder))();
  expect(readdirSync(folder)).toEqual(['lock', 'pid']);
});

test('a released folder can be locked by another process', async () => {
  const release = await lockFolder(folder);
  expect((await another()).result).toBe(inUse(process.pid));
  release();
  expect((await another()).result).toBe('locked');
});

test('of many that start at once after a killed one, one holds it', async () => {
  await kill((await another()).child);
  const all = await Promise.all([1, 2, 3, 4].map(() => another()));
  const holders = all.filter(({ result }) => result === 'locked');
  expect(holders).toHaveLength(1);
  const others = all.filter(({ result }) => result !== 'locked').map(({ result }) => result);
  expect(others).toEqual([1, 2, 3].map(() => inUse(holders[0]?.child.pid)));
});

test('a holder that is too busy to answer keeps the folder', async () => {
  const { child } = await another();
  child.kill('SIGSTOP');
  const started = performance.now();
  await expect(lockFolder(folder)).rejects.toThrow(inUse(child.pid));
  expect(performance.now() - started).toBeLessThan(2000);
  child.kill('SIGCONT');
  expect((await another()).result).toBe(inUse(child.pid));
  expect(child.exitCode).toBeNull();
});

test('a holder that has not written its pid yet is waited for', async () => {
  // The pid of the previous holder still stands in the file.
  await kill((await another()).child);
  const holder = new DatabaseSync(path.join(folder, 'lock'));
  holder.exec('begin exclusive');
  const originalKill = process.kill.bind(process);
  const killSpy = vi.spyOn(process, 'kill').mockImplementationOnce((before, signal) => {
    writeFileSync(path.join(folder, 'pid'), String(process.pid));
    return originalKill(before, signal);
  });
  onTestFinished(() => killSpy.mockRestore());
  await expect(lockFolder(folder)).rejects.toThrow(inUse(process.pid));
  expect(killSpy).toHaveBeenCalledTimes(2);
  holder.close();
});

// As root only: a container of its own for each process.
const unshare = ['unshare', '--net', '--pid', '--fork', '--mount-proc', '--kill-child', process.execPath];
const mayUnshare = spawnSync('unshare', [...unshare.slice(1, -1), 'true']).status === 0;
test.runIf(mayUnshare)(
  'a process in another container is refused, and its kill frees the folder',
  async () => {
    const { child, result } = await another(folder, unshare);
    expect(result).toBe('locked');
    await expect(lockFolder(folder)).rejects.toThrow(
      `${folder} is in use by a process of another container or machine. Stop it first`,
    );
    await kill(child);
    // The kernel ends the process inside a moment after its container.
    const release = await vi.waitFor(() => lockFolder(folder), 10_000);
    expect((await another(folder, unshare)).result).toContain(`${folder} is in use by `);
    release();
  },
);

test('another path to the same folder is the same folder', async () => {
  const release = await lockFolder(folder);
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  expect((await another(link)).result).toContain(`in use by process ${process.pid}`);
  expect((await another(`${folder}/../${path.basename(folder)}/`)).result).toContain('in use');
  rmSync(link);
  release();
});

test('another folder is free and is created if it is missing', async () => {
  const release = await lockFolder(folder);
  const other = path.join(folder, 'deep/inside');
  expect((await another(other)).result).toBe('locked');
  release();
});
