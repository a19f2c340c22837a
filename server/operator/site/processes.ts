import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { release } from '#server/local-address.ts';
import { noteProcess } from '#server/operator/site/data-processes.ts';
import { noteOutage } from '#server/outages.ts';
import { tryStorage } from '#server/storage/trial.ts';

/** A bucket that works is tried again after this time, one that fails at each report. */
const TRIAL_MS = 10 * MINUTE_MS;

/** Returns a function that tells the database what this process runs and shows, and whether its bucket works. */
export function reporting(deps: Deps): () => Promise<void> {
  const { clock, config, brands, storage, log } = deps;
  const name = `${hostname()}:${config.port}`;
  let storageProblem: string | null = null;
  let nextTrial = clock.now();
  const tryBucket = async () => {
    // Folders are tried before the start, and fill up under the check `disk`.
    if ('folder' in config.storage || clock.now() < nextTrial) return;
    storageProblem = await tryStorage(storage);
    if (storageProblem === null) nextTrial = fromNow(clock, TRIAL_MS);
    else
      noteOutage(log, 'STORAGE_URL: the bucket can not be used, so uploads fail', { reason: storageProblem });
  };
  return async () => {
    await tryBucket();
    brands.lookEachMinute();
    await brands.settled();
    await noteProcess(deps.sql, clock, { name, release, brand: brands.shown(), storageProblem });
  };
}

/** Reports each minute until the returned function is called. */
export function startReporting(deps: Deps): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const report = reporting(deps);
  const rounds = async () => {
    while (!signal.aborted) {
      await report().catch((error: unknown) => {
        // The database may close meanwhile.
        if (!signal.aborted) noteOutage(deps.log, 'a process can not report', { reason: reasonOf(error) });
      });
      await pause(MINUTE_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  void rounds();
  return () => stop.abort();
}
