import { readdir, readFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import type { Log } from './log.ts';

const THREADS = '/proc/self/task';
const OF_THE_POOL = 'libuv-worker';
const LOWER_BY = 5;
const LOWEST = 19;

/** A flood of guesses must not take the answering thread's processor. Linux only: elsewhere it takes no thread id. */
export async function lowerThreadPool(log: Log) {
  if (process.platform !== 'linux') return;
  try {
    const lower = Math.min(getPriority() + LOWER_BY, LOWEST);
    // Reading a folder is work of the pool, so the pool has started.
    for (const thread of await readdir(THREADS)) {
      const name = await readFile(`${THREADS}/${thread}/comm`, 'utf8').catch(() => 'an ended thread');
      if (name.trim() === OF_THE_POOL) setPriority(Number(thread), lower);
    }
  } catch (error) {
    log.warn({ reason: String(error) }, 'passwords are hashed at the priority of all else');
  }
}
