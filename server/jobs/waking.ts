import { EventEmitter } from 'node:events';

const written = new EventEmitter().setMaxListeners(0);
/** The transaction that a job was written down in ends meanwhile, and so do a crowd's. */
const COMMIT_MS = 100;

/** Tells whoever waits in this process that there is a job; other processes find it when they look. */
export const wake = () => void written.emit('job');

/** Waits for so long, or until a moment after a job was written down in this process, or until told to stop. */
export async function pauseUntilJob(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const stop = () => end();
  const timers = [setTimeout(stop, ms)];
  const soon = () => void timers.push(setTimeout(stop, COMMIT_MS));
  written.once('job', soon);
  signal.addEventListener('abort', stop);
  await over;
  for (const timer of timers) clearTimeout(timer);
  written.off('job', soon);
  signal.removeEventListener('abort', stop);
}
