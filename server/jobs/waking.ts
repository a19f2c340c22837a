import { EventEmitter } from 'node:events';

const written = new EventEmitter().setMaxListeners(0);
let commits = 0;
/** So that the jobs of a crowd are taken together. */
const CROWD_MS = 100;

/** Tells whoever waits in this process that a job stands; other processes find it when they look. */
export function wake(): void {
  commits += 1;
  written.emit('job');
}

/** How often jobs were written down in this process: who looks for jobs reads it first, and misses none. */
export const jobsWritten = () => commits;

/**
 * Waits for so long, or until a moment after a job was written down in this process beyond those `seen`, or until told to
 * stop.
 */
export async function pauseUntilJob(ms: number, seen: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const stop = () => end();
  const timers = [setTimeout(stop, ms)];
  const soon = () => void timers.push(setTimeout(stop, CROWD_MS));
  if (commits > seen) soon();
  else written.once('job', soon);
  signal.addEventListener('abort', stop);
  await over;
  for (const timer of timers) clearTimeout(timer);
  written.off('job', soon);
  signal.removeEventListener('abort', stop);
}
