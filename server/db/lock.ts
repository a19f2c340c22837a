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

/** Who has only just taken the folder has said so by then. */
const HOLDER_WAIT_MS = 1000;
const ASK_EVERY_MS = 50;

/** Another living process has the data folder open; the embedded database serves one process at a time. */
export class FolderInUse extends Error {
  constructor(folder: string, pid: string) {
    super(`${folder} is in use by process ${pid}. Stop it first, or give this one its own DATA_DIR.`);
  }
}

/**
 * Holds the folder for this process until the returned function is called or the process ends, however it ends;
 * throws FolderInUse with the holder's pid. The lock is a listening socket, so nothing is in the way after a kill -9: the
 * kernel frees it, or who comes next takes its file away. A file in the folder says whose it is, however busy that
 * process may be. `at` is another address than the folder's own.
 */
export async function holdFolder(folder: string, at?: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = createServer((socket) => socket.destroy());
  const holder = path.join(folder, 'pid');
  const address = at ?? addressOf(realpathSync(folder));
  if (!(await listens(server, address))) {
    await clearAway(address);
    if (!(await listens(server, address))) throw new FolderInUse(folder, await readHolder(holder));
  }
  server.unref();
  // One who asks and can't be taken does no harm.
  server.on('error', () => undefined);
  // Moved there whole, so that nobody reads half of it.
  writeFileSync(`${holder}.part`, String(process.pid), { mode: 0o600 });
  renameSync(`${holder}.part`, holder);
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function addressOf(folder: string): string {
  const name = `portico-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), name);
}

/** Whether it listens there now; false while another one has the address. */
async function listens(server: Server, address: string): Promise<boolean> {
  try {
    await once(server.listen(address), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return false;
  }
}

/** Takes away the file of a socket that nobody listens on any more. Only one of several who find it does so, and only that file. */
async function clearAway(address: string) {
  const identity = (file: string) => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.ino} ${found.mtimeNs}`;
  };
  if (!address.startsWith('/')) return;
  const found = identity(address);
  if (!(await isLeft(address))) return;
  const aside = `${address}.left`;
  try {
    linkSync(address, aside);
  } catch {
    return;
  }
  if (identity(aside) === found) rmSync(address);
  rmSync(aside);
}

/** Whether nobody listens there; asked again, since a socket has its file a moment before it listens. */
async function isLeft(address: string): Promise<boolean> {
  for (let asked = 0; asked < 2; asked += 1) {
    if (asked > 0) await pause(ASK_EVERY_MS);
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

/** The pid of who has the folder, which one who has only just taken it writes down in a moment. */
async function readHolder(file: string): Promise<string> {
  const giveUpAt = performance.now() + HOLDER_WAIT_MS;
  for (;;) {
    const pid = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (isAlive(Number(pid))) return pid;
    if (performance.now() > giveUpAt) return 'unknown';
    await pause(ASK_EVERY_MS);
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
