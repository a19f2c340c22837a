import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WIRE_NAME } from '#contract/limits.ts';

/** A new holder writes its pid within this time. */
const HOLDER_WAIT_MS = 1000;
const RETRY_MS = 50;

/** Another living process has the data folder open; the embedded database serves one process at a time. */
export class FolderInUse extends Error {
  constructor(folder: string, pid: string) {
    super(`${folder} is in use by process ${pid}. Stop it first, or give this one its own DATA_DIR.`);
  }
}

/** Throws FolderInUse. The lock is a socket, so a kill -9 leaves nothing; a pid file names the holder even if it is busy. */
export async function lockFolder(folder: string, at?: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = createServer((socket) => socket.destroy());
  const holder = path.join(folder, 'pid');
  const address = at ?? addressOf(realpathSync(folder));
  if (!(await tryListen(server, address))) {
    await removeDeadSocket(address);
    if (!(await tryListen(server, address))) throw new FolderInUse(folder, await readHolder(holder));
  }
  server.unref();
  // A connection that cannot be accepted is harmless.
  server.on('error', () => undefined);
  // Written and then renamed, so that other processes never read half of it.
  writeFileSync(`${holder}.part`, String(process.pid), { mode: 0o600 });
  renameSync(`${holder}.part`, holder);
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function addressOf(folder: string): string {
  const name = `${WIRE_NAME}-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), name);
}

/** Starts to listen; false if another process has the address. */
async function tryListen(server: Server, address: string): Promise<boolean> {
  try {
    await once(server.listen(address), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return false;
  }
}

/** Removes the file of a dead socket. Of several processes only one removes it, and none removes a new socket. */
async function removeDeadSocket(address: string) {
  const identity = (file: string) => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.mtimeNs}`;
  };
  if (!address.startsWith('/')) return;
  const fileId = identity(address);
  if (!(await isDead(address))) return;
  const aside = `${address}.left`;
  try {
    linkSync(address, aside);
  } catch {
    return;
  }
  if (identity(aside) === fileId) rmSync(address);
  rmSync(aside);
}

/** Whether no process listens there. Connects twice, because a socket's file exists a moment before it listens. */
async function isDead(address: string): Promise<boolean> {
  for (let tries = 0; tries < 2; tries += 1) {
    if (tries > 0) await pause(RETRY_MS);
    const socket = connect(address);
    const code = await once(socket, 'connect').then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    socket.destroy();
    if (code !== 'ECONNREFUSED') return false;
  }
  return true;
}

/** The holder's pid; waits for a new holder to write it. */
async function readHolder(file: string): Promise<string> {
  const giveUpAt = performance.now() + HOLDER_WAIT_MS;
  for (;;) {
    const pid = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (isAlive(Number(pid))) return pid;
    if (performance.now() > giveUpAt) return 'unknown';
    await pause(RETRY_MS);
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
