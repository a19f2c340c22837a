import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { FolderInUse, lockFolder } from '#server/db/lock.ts';

const script = `import { lockFolder } from '#server/db/lock.ts';
try {
  await lockFolder(process.argv[1], process.argv[2]);
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
async function another(where = folder, ...at: string[]) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, where, ...at], {
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

// On Linux the kernel frees the address; elsewhere it may be a file that outlives a killed process.
describe.each(['an address', 'a file'])('by %s', (by) => {
  const at = () => (by === 'a file' ? [path.join(folder, 'lock')] : []);
  const hold = () => lockFolder(folder, ...at());
  const anotherHere = () => another(folder, ...at());

  test('a second process is refused within two seconds and learns the holder', async () => {
    const { child, result } = await anotherHere();
    expect(result).toBe('locked');
    const started = performance.now();
    await expect(hold()).rejects.toThrow(new FolderInUse(folder, String(child.pid)));
    expect(performance.now() - started).toBeLessThan(2000);
    expect((await anotherHere()).result).toBe(inUse(child.pid));
  });

  test('a killed process no longer holds the folder', async () => {
    const { child, result } = await anotherHere();
    expect(result).toBe('locked');
    await kill(child);
    expect(at().filter(existsSync)).toEqual(at());
    await (
      await hold()
    )();
    expect(readdirSync(folder)).toEqual(['pid']);
  });

  test('a released folder can be locked by another process', async () => {
    const release = await hold();
    expect((await anotherHere()).result).toBe(inUse(process.pid));
    await release();
    expect((await anotherHere()).result).toBe('locked');
  });

  test('of many that start at once after a killed one, one holds it', async () => {
    await kill((await anotherHere()).child);
    const all = await Promise.all([1, 2, 3, 4].map(() => anotherHere()));
    const holders = all.filter(({ result }) => result === 'locked');
    expect(holders).toHaveLength(1);
    const others = all.filter(({ result }) => result !== 'locked').map(({ result }) => result);
    expect(others).toEqual([1, 2, 3].map(() => inUse(holders[0]?.child.pid)));
  });

  test('a holder that is too busy to answer keeps the folder', async () => {
    const { child } = await anotherHere();
    child.kill('SIGSTOP');
    const started = performance.now();
    await expect(hold()).rejects.toThrow(inUse(child.pid));
    expect(performance.now() - started).toBeLessThan(2000);
    child.kill('SIGCONT');
    expect((await anotherHere()).result).toBe(inUse(child.pid));
    expect(child.exitCode).toBeNull();
  });
});

describe('a holder that has not written its pid yet', () => {
  const pid = () => path.join(folder, 'pid');
  const at = () => path.join(folder, 'lock');
  beforeEach(async () => {
    const server = createServer().listen(at());
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    // The pid of the previous holder still stands in the file.
    const { child } = await another();
    await kill(child);
  });

  test('is waited for', async () => {
    const originalKill = process.kill.bind(process);
    const killSpy = vi.spyOn(process, 'kill').mockImplementationOnce((before, signal) => {
      writeFileSync(pid(), String(process.pid));
      return originalKill(before, signal);
    });
    onTestFinished(() => killSpy.mockRestore());
    await expect(lockFolder(folder, at())).rejects.toThrow(inUse(process.pid));
    expect(killSpy).toHaveBeenCalledTimes(2);
  });

  test('is reported as unknown if it writes no valid pid', async () => {
    for (const content of [undefined, '', 'half']) {
      if (content !== undefined) writeFileSync(pid(), content);
      await expect(lockFolder(folder, at())).rejects.toThrow(inUse('unknown'));
    }
  });
});

test('another path to the same folder is the same folder', async () => {
  const release = await lockFolder(folder);
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  expect((await another(link)).result).toContain(`in use by process ${process.pid}`);
  expect((await another(`${folder}/../${path.basename(folder)}/`)).result).toContain('in use');
  rmSync(link);
  await release();
});

test('another folder is free and is created if it is missing', async () => {
  const release = await lockFolder(folder);
  const other = path.join(folder, 'deep/inside');
  expect((await another(other)).result).toBe('locked');
  await release();
});
