import { readdir, readFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import type { Log } from '#server/deps.ts';

const THREADS = '/proc/self/task';
const OF_THE_POOL = 'libuv-worker';
const LOWER_BY = 5;
const LOWEST = 19;

/**
 * Lets the threads that hash passwords yield to the one that answers, so that no flood of guesses takes the processor from
 * it. Files are read and names of hosts looked up on them, too. Only Linux takes the id of a thread for that of a process.
 */
export async function lowerThreadPool(log: Log) {
  if (process.platform !== 'linux') return;
  try {
    const lower = Math.min(getPriority() + LOWER_BY, LOWEST);
    // To read a folder is work of the pool, so it has started.
    for (const thread of await readdir(THREADS)) {
      const name = await readFile(`${THREADS}/${thread}/comm`, 'utf8').catch(() => 'one that has ended');
      if (name.trim() === OF_THE_POOL) setPriority(Number(thread), lower);
    }
  } catch (error) {
    log.warn({ reason: String(error) }, 'passwords are hashed at the priority of all else');
  }
}
