import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { release } from '#server/local-address.ts';
import { deleteProcess, noteProcess } from './data-processes.ts';
import { noteOutage } from '#server/outages.ts';
import { tryStorage } from '#server/storage/trial.ts';

/** A bucket that works is tried again after this time, one that fails at each report. */
const TRIAL_MS = 10 * MINUTE_MS;

/** `report` tells the database what this process runs and shows, and whether its bucket works; `end` that it stops. */
export function reporting(deps: Deps): { report: () => Promise<void>; end: () => Promise<void> } {
  const { clock, config, brands, storage, log } = deps;
  const name = `${hostname()}:${config.port}`;
  let storageProblem: string | null = null;
  let nextTrial = clock.now();
  let hasEnded = false;
  const tryBucket = async () => {
    // Folders are tried before the start, and fill up under the check `disk`.
    if ('folder' in config.storage || clock.now() < nextTrial) return;
    const former = storageProblem;
    storageProblem = await tryStorage(storage);
    if (storageProblem === null) nextTrial = fromNow(clock, TRIAL_MS);
    if (storageProblem === former) return;
    if (storageProblem === null) log.info({}, 'STORAGE_URL: the bucket works again');
    else log.warn({ reason: storageProblem }, 'STORAGE_URL: the bucket can not be used, so uploads fail');
  };
  const report = async () => {
    await tryBucket();
    brands.lookEachMinute();
    await brands.settled();
    if (hasEnded) return;
    await noteProcess(deps.sql, clock, { name, release, brand: brands.shown(), storageProblem });
  };
  const end = async () => {
    hasEnded = true;
    await deleteProcess(deps.sql, name);
  };
  return { report, end };
}

/** Reports each minute until the returned function is called. */
export function startReporting(deps: Deps): () => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const { report, end } = reporting(deps);
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
  return async () => {
    stop.abort();
    // A row that stays expires soon.
    await end().catch((error: unknown) =>
      deps.log.warn({ reason: reasonOf(error) }, 'a process can not report'),
    );
  };
}
