import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';

const THREADS = '/proc/self/task';
const OF_THE_POOL = 'libuv-worker';
const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Lets the threads that hash passwords yield to the one that answers, which no flood of guesses is then to slow down.
 * Only Linux gives a thread a priority of its own; elsewhere this does nothing.
 */
export async function lowerThreadPool() {
  if (process.platform !== 'linux') return;
  const lower = Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW);
  // To read a folder is work of the pool, so it has started.
  for (const thread of await readdir(THREADS)) {
    const name = await readFile(`${THREADS}/${thread}/comm`, 'utf8').catch(() => 'one that has ended');
    if (name.trim() === OF_THE_POOL) setPriority(Number(thread), lower);
  }
}
