import { EventEmitter } from 'node:events';
import { afterCommit, type Tx } from '#server/db/connect.ts';

const newJobs = new EventEmitter().setMaxListeners(0);
let commits = 0;
/** A short delay, so that the jobs of a burst are claimed together. */
const BURST_MS = 100;

/** Wakes the job loops of this process; other processes find the job when they poll. */
export function wake(): void {
  commits += 1;
  newJobs.emit('job');
}

/** Wakes the loops after the commit. Ends of sessions and memberships need it, because triggers write their jobs. */
export const wakeAfterCommit = (tx: Tx) => afterCommit(tx, wake);

/** The number of commits with jobs in this process. The loop reads it before each search, so it misses none. */
export const jobCommits = () => commits;

/** Waits for `ms`, or until shortly after a commit with a number above `seen`, or until `signal` aborts. */
export async function waitForJob(ms: number, seen: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: waiting, resolve: end } = Promise.withResolvers<void>();
  const stop = () => end();
  const timers = [setTimeout(stop, ms)];
  const soon = () => void timers.push(setTimeout(stop, BURST_MS));
  if (commits > seen) soon();
  else newJobs.once('job', soon);
  signal.addEventListener('abort', stop);
  await waiting;
  for (const timer of timers) clearTimeout(timer);
  newJobs.off('job', soon);
  signal.removeEventListener('abort', stop);
}
