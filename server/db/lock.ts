import { existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

/** A new holder writes its pid within this time. */
const HOLDER_WAIT_MS = 1000;
const RETRY_MS = 50;

/** Another living process has the data folder open; the embedded database serves one process at a time. */
export class FolderInUse extends Error {
  constructor(folder: string, pid: string | undefined) {
    const holder = pid === undefined ? 'a process of another container or machine' : `process ${pid}`;
    super(`${folder} is in use by ${holder}. Stop it first, or give this one its own DATA_DIR.`);
  }
}

/**
 * Throws FolderInUse. SQLite locks a file in the folder, because Node itself can lock none: such a lock also holds for other
 * containers, and for other machines if the file system has locks. It ends with the process, however that ends.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const holder = path.join(folder, 'pid');
  const lock = new DatabaseSync(path.join(folder, 'lock'), { timeout: 0 });
  if (!hasTaken(lock)) {
    lock.close();
    throw new FolderInUse(folder, await readHolder(holder));
  }
  // Written and then renamed, so that other processes never read half of it.
  writeFileSync(`${holder}.part`, `${process.pid} ${processSpace()}`, { mode: 0o600 });
  renameSync(`${holder}.part`, holder);
  return () => lock.close();
}

const SQLITE_BUSY = 5;
/** Takes the lock; false if another process has it. */
function hasTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    return false;
  }
}

/** The holder's pid; waits for a new holder to write it. Undefined if no process here has it. */
async function readHolder(file: string): Promise<string | undefined> {
  const giveUpAt = performance.now() + HOLDER_WAIT_MS;
  for (;;) {
    const [pid = '', space = processSpace()] = (existsSync(file) ? readFileSync(file, 'utf8') : '').split(
      ' ',
    );
    if (space === processSpace() && isAlive(Number(pid))) return pid;
    if (performance.now() > giveUpAt) return undefined;
    await pause(RETRY_MS);
  }
}

/** Names the machine or container whose processes have such ids. */
const processSpace = () =>
  `${hostname()}${process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : ''}`;

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
