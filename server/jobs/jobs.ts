// Runs the due jobs of this process. A failed job is tried again, later each time, until its kind gives up.
import { setTimeout as pause } from 'node:timers/promises';
import { fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { isUnreachable } from '#server/db/constraints.ts';
import type { Deps } from '#server/deps.ts';
import {
  type ClaimedJob,
  PATIENT_FAILURES,
  releaseExpired,
  releaseJobs,
  renewLease,
  updateRun,
} from './data-claims.ts';
import { deleteEnded, EMPTY_PAYLOAD } from './data.ts';
import { type JobGroup, jobGroups } from './groups.ts';
import { type JobHandlers, type JobKind, jobKindOf, leaseMs, LIMIT_MS } from './kinds.ts';
import { reasonOf } from './reasons.ts';
import { UnknownKey } from '#server/keys.ts';
import { openSlots } from './slots.ts';
import { resumeKinds, delayKind, takeTurn } from './data-turns.ts';
import { jobCommits, waitForJob } from '#server/waking.ts';
import { workFor } from '#server/origin.ts';
import { noteOutage } from '#server/outages.ts';

export type { JobHandlers } from './kinds.ts';

const RENEWALS_PER_LIMIT = 4;
const RETRY_RECORD_MS = SECOND_MS / 4;
/** At one try per minute, about a week in which a service is away. */
const ATTEMPTS_MAX = 10_000;
const BACK_OFF_MAX_MS = 90 * SECOND_MS;
/** 93 more tries, four per hour, so a job fails after a day. */
const FAILURES_MAX = PATIENT_FAILURES + 93;
/** With three more tries, a job that is refused fails after an hour. */
const REFUSALS_MAX = PATIENT_FAILURES + 3;

/** Thrown by a handler when a retry cannot help. */
export class GiveUp extends Error {}

/** Thrown by a handler that a service has refused, perhaps not for ever: the job is tried for an hour. */
export class Refused extends Error {}

/** Thrown by a handler that knows when the next try may help. */
export class Later extends Error {
  readonly waitMs: number;
  constructor(reason: string, waitMs: number) {
    super(reason);
    this.waitMs = waitMs;
  }
}

/** Thrown by a handler when a service is away. It does not count as a failure of the job, and delays all of its kind. */
export class Away extends Error {}

/** Doubles from two seconds up to 90; a quarter of an hour after `PATIENT_FAILURES`. */
export const backOffMs = (failures: number) =>
  failures > PATIENT_FAILURES
    ? 15 * MINUTE_MS
    : Math.min(BACK_OFF_MAX_MS, SECOND_MS * 2 ** Math.min(failures, 7));

/** The longest wait before an away service is tried again. */
const awayMs = (attempts: number) => Math.min(MINUTE_MS, SECOND_MS * 2 ** Math.min(attempts, 6));

/** Runs a job. Fails when it takes too long; its later result is ignored. */
async function withinLimit(deps: Deps, kind: JobKind, job: ClaimedJob) {
  const { limitMs = LIMIT_MS } = kind;
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`took longer than ${limitMs / SECOND_MS} s`)), limitMs);
  let renewedAt = performance.now();
  const progress = async () => {
    if (performance.now() - renewedAt < limitMs / RENEWALS_PER_LIMIT) return;
    if (!(await renewLease(deps, job, leaseMs(kind)))) throw new Error('another run has the job');
    renewedAt = performance.now();
    timer.refresh();
  };
  try {
    // `workFor({}…)`, because a request may have woken the loop, and a job must not log that request's client.
    const work = workFor({}, () => kind.run(deps, job.payload as never, job.id, progress));
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function runJob({ deps, handlers, signal, running }: Run, job: ClaimedJob): Promise<boolean> {
  const { sql: database, clock } = deps;
  const kind = jobKindOf(handlers, job.kind);
  running.add(job);
  try {
    if (!kind) throw new GiveUp(`no handler for ${job.kind}`);
    await withinLimit(deps, kind, job);
  } catch (error) {
    const { isFinal, waitMs, ...failure } = afterFailure(deps, job, error);
    // The payload stays, because the operator may retry the job.
    const next = isFinal ? { failed_at: clock.now(), lane: null } : { run_at: fromNow(clock, waitMs) };
    // A handler that knows when the next try may help watches its failures itself.
    const failedAt = error instanceof Later ? null : clock.now();
    await recordEnd(() => updateRun(database, job, { ...failure, ...next }, failedAt), signal);
    if (error instanceof Away) await delayKind(database, clock, job.kind);
    return false;
  } finally {
    // A finished job must not be released.
    running.delete(job);
  }
  // The payload may be personal and is no longer needed.
  const success = { payload: EMPTY_PAYLOAD, lane: null, done_at: clock.now(), last_error: null };
  await recordEnd(() => updateRun(database, job, success), signal);
  return true;
}

/** Retries for half of the lease while the database is away, because otherwise a mail is sent twice. */
async function recordEnd(write: () => Promise<unknown>, signal?: AbortSignal) {
  const until = performance.now() + LIMIT_MS;
  for (;;)
    try {
      return await write();
    } catch (error) {
      if (!isUnreachable(error) || signal?.aborted || performance.now() > until) throw error;
      await pause(RETRY_RECORD_MS, undefined, { signal }).catch(() => undefined);
    }
}

function afterFailure({ log }: Deps, job: ClaimedJob, error: unknown) {
  // Another process may know the key of the job.
  const isAway = error instanceof Away || error instanceof UnknownKey;
  const failures = job.failures + (isAway ? 0 : 1);
  const failuresMax = error instanceof Refused ? REFUSALS_MAX : FAILURES_MAX;
  const isFinal = error instanceof GiveUp || failures >= failuresMax || job.attempts >= ATTEMPTS_MAX;
  const reason = reasonOf(error);
  const { id, kind, attempts } = job;
  log[isFinal ? 'error' : 'warn']({ job: id, kind, attempts, reason }, 'a job failed');
  const waitMs = isAway ? awayMs(attempts) : error instanceof Later ? error.waitMs : backOffMs(failures);
  return { failures, last_error: reason, isFinal, waitMs };
}

type Run = {
  readonly deps: Deps;
  readonly handlers: JobHandlers;
  readonly signal?: AbortSignal;
  readonly running: Set<ClaimedJob>;
};

/** Returns the number of runs. `isWanted` chooses kinds with slots of their own, and by undefined all others. */
export async function runDueJobs(
  deps: Deps,
  handlers: JobHandlers,
  isWanted: (kind: string | undefined) => boolean = () => true,
): Promise<number> {
  const run: Run = { deps, handlers, running: new Set() };
  const groups = jobGroups(deps, handlers).filter(({ kind }) => isWanted(kind));
  for (let total = 0; ;) {
    const before = total;
    for (const group of groups) total += await runGroup(run, group);
    if (total === before) return total;
  }
}

/** Runs the due jobs of a group in batches until none is left or `signal` aborts; returns the number of runs. */
async function runGroup(run: Run, { claim, slots }: JobGroup): Promise<number> {
  const { deps, handlers, signal } = run;
  for (let count = 0; ;) {
    if (signal?.aborted) return count;
    await releaseExpired(deps, harmlessKinds(handlers));
    const due = await claim(slots);
    if (due.length === 0) return count;
    const ends = await Promise.allSettled(due.map((job) => runJob(run, job)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const doneJobs = due.filter((_, at) => ends[at]?.status === 'fulfilled' && ends[at].value);
    await resumeKinds(
      deps.sql,
      doneJobs.map(({ kind }) => kind),
    );
    count += due.length;
  }
}

const harmlessKinds = (handlers: JobHandlers) =>
  Object.keys(handlers).filter((name) => jobKindOf(handlers, name)?.isHarmless);

export type Sweep = (deps: Deps) => Promise<unknown>;

export async function sweepAll(deps: Deps, sweeps: readonly Sweep[]) {
  for (const sweep of [deleteEnded, ...sweeps])
    try {
      await sweep(deps);
    } catch (error) {
      deps.log.warn({ reason: reasonOf(error) }, 'a sweep failed');
    }
}

/** Soon after this process writes them, at least every `pollMs`. The returned function gives jobs back after `graceMs`. */
export function startJobs(
  deps: Deps,
  handlers: JobHandlers,
  sweeps: readonly Sweep[],
  pollMs = SECOND_MS,
): (graceMs?: number) => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const run: Run = { deps, handlers, signal, running: new Set() };
  const onFault = (error: unknown) =>
    noteOutage(deps.log, 'jobs wait for the next round', { reason: reasonOf(error) });
  const loop = async (round: () => Promise<unknown>, everyMs: number) => {
    while (!signal.aborted) {
      const commits = jobCommits();
      await round().catch(onFault);
      await waitForJob(everyMs, commits, signal);
    }
  };
  let sweepAt = deps.clock.now();
  const sweep = async () => {
    if (deps.clock.now() < sweepAt) return;
    const isMyTurn = await takeTurn(deps.sql, deps.clock, 'sweep', HOUR_MS);
    sweepAt = fromNow(deps.clock, isMyTurn ? HOUR_MS : MINUTE_MS);
    if (isMyTurn) await sweepAll(deps, sweeps);
  };
  const roundOf = (group: JobGroup) => () => runGroup(run, group);
  /** A slot that becomes free takes the next job at once, so a slow one holds up no other. */
  const inTurns = async ({ slots: atOnce, claim, watch }: JobGroup) => {
    const work = (job: ClaimedJob) => runJob(run, job).finally(watch?.(job));
    const slots = openSlots({ atOnce, claim, work, onFault, signal });
    // The operator's commands write such jobs, too, and wake no loop.
    await loop(slots.fill, pollMs / 2);
    await slots.drain();
  };
  const groups = jobGroups(deps, handlers);
  const loops = [
    loop(sweep, pollMs),
    ...groups.map((group) => (group.watch ? inTurns(group) : loop(roundOf(group), pollMs))),
  ];
  return async (graceMs = 5 * SECOND_MS) => {
    stop.abort();
    const finished = new AbortController();
    await Promise.race([
      Promise.all(loops).then(() => finished.abort()),
      pause(graceMs, undefined, { signal: finished.signal }).catch(() => undefined),
    ]);
    await releaseJobs(deps, run.running).catch((error: unknown) =>
      deps.log.warn({ reason: reasonOf(error) }, 'jobs under way wait until their lease runs out'),
    );
  };
}
