import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Another living process has the data folder open; the embedded database serves one process at a time. */
export class FolderInUse extends Error {
  constructor(folder: string, pid: string) {
    super(`${folder} is in use by process ${pid}. Stop it first, or give this one its own DATA_DIR.`);
  }
}

/**
 * Holds the folder for this process until the returned function is called or the process ends, however it ends;
 * throws FolderInUse with the holder's pid. The lock is a listening socket that the kernel frees itself, so nothing
 * stale is left behind by kill -9; a file beside it says whose it is, however busy that process may be.
 */
export async function holdFolder(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = createServer((socket) => socket.destroy());
  const holder = path.join(folder, 'pid');
  try {
    await listen(server, addressOf(realpathSync(folder)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new FolderInUse(folder, existsSync(holder) ? readFileSync(holder, 'utf8') : 'unknown');
  }
  server.unref();
  writeFileSync(holder, String(process.pid), { mode: 0o600 });
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function addressOf(folder: string): string {
  const name = `portico-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), name);
}

const listen = (server: Server, address: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
