import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const written = new EventEmitter().setMaxListeners(0);
/** The transaction that a job was written down in ends meanwhile, and so do a crowd's. */
const COMMIT_MS = 100;

/** Tells whoever waits in this process that there is a job; other processes find it when they look. */
export const wake = () => void written.emit('job');

/** Waits for so long, or until a moment after a job was written down in this process. */
export async function pauseUntilJob(ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const ends = { signal: AbortSignal.any([signal, over.signal]) };
  const job = once(written, 'job', ends).then(() => pause(COMMIT_MS, undefined, ends));
  await Promise.race([pause(ms, undefined, ends), job]).catch(() => undefined);
  over.abort();
}
