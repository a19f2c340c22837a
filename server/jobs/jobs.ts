import { setTimeout as pause } from 'node:timers/promises';
import { fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { isUnreachable } from '#server/db/constraints.ts';
import type { Deps } from '#server/deps.ts';
import {
  claimDue,
  type ClaimedJob,
  claimNotices,
  releaseJobs,
  type Kinds,
  PATIENT_FAILURES,
  releaseExpired,
  renewLease,
  updateRun,
} from '#server/jobs/data-claims.ts';
import { deleteEnded, EMPTY_PAYLOAD } from '#server/jobs/data.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { openSlots } from '#server/jobs/slots.ts';
import { resumeKinds, delayKind, takeTurn } from '#server/jobs/data-turns.ts';
import { jobCommits, waitForJob } from '#server/waking.ts';
import { workFor } from '#server/origin.ts';

/**
 * The work of one kind of job. It may run more than once, so it must be idempotent. Work in many steps calls `progress`
 * after each: the time limit then begins anew, and the lease is renewed. It throws if another run has the job.
 */
type JobHandler = (deps: Deps, payload: never, jobId: number, progress: () => Promise<void>) => Promise<void>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** A run fails after this time without progress, before its lease ends, so that a hanging job does not block others for long. */
const LIMIT_MS = MINUTE_MS;
const RENEWALS_PER_LIMIT = 4;
const NOTICE_LIMIT_MS = 5 * SECOND_MS;
const RETRY_RECORD_MS = SECOND_MS / 4;
/** At one try per minute, about a week in which a service is away. */
const ATTEMPTS_MAX = 10_000;
const BACK_OFF_MAX_MS = 90 * SECOND_MS;
/** 93 more tries, four per hour, so a job fails after a day. */
const FAILURES_MAX = PATIENT_FAILURES + 93;

/** Thrown by a handler when a retry cannot help. */
export class GiveUp extends Error {}

/** Thrown by a handler when a service is away. It does not count as a failure of the job, and delays all of its kind. */
export class Away extends Error {}

/** Doubles from two seconds up to 90; a quarter of an hour after `PATIENT_FAILURES`. */
export const backOffMs = (failures: number) =>
  failures > PATIENT_FAILURES
    ? 15 * MINUTE_MS
    : Math.min(BACK_OFF_MAX_MS, SECOND_MS * 2 ** Math.min(failures, 7));

/** The longest wait before an away service is tried again. */
const awayMs = (attempts: number) => Math.min(MINUTE_MS, SECOND_MS * 2 ** Math.min(attempts, 6));

/** Fails when the work takes too long; a later result of the work is ignored. `renew` keeps the lease. */
async function withinLimit(
  work: (progress: () => Promise<void>) => Promise<void>,
  renew: () => Promise<boolean>,
  limitMs: number,
) {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`took longer than ${limitMs / SECOND_MS} s`)), limitMs);
  let renewedAt = performance.now();
  const progress = async () => {
    if (performance.now() - renewedAt < limitMs / RENEWALS_PER_LIMIT) return;
    if (!(await renew())) throw new Error('another run has the job');
    renewedAt = performance.now();
    timer.refresh();
  };
  try {
    await Promise.race([work(progress), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a job and records its end; returns whether it succeeded. */
async function runJob(deps: Deps, handlers: JobHandlers, job: ClaimedJob, run: Run): Promise<boolean> {
  run.runningJobs?.add(job);
  try {
    return await runClaimed(deps, handlers, job, run);
  } finally {
    run.runningJobs?.delete(job);
  }
}

async function runClaimed(
  deps: Deps,
  handlers: JobHandlers,
  job: ClaimedJob,
  { signal, limitMs = LIMIT_MS, runningJobs }: Run,
): Promise<boolean> {
  const { sql: database, clock } = deps;
  try {
    const handler = handlers[job.kind];
    if (!handler) throw new GiveUp(`no handler for ${job.kind}`);
    // `workFor({}…)`, because a request may have woken the loop, and a job must not log that request's client.
    await withinLimit(
      (progress) => workFor({}, () => handler(deps, job.payload as never, job.id, progress)),
      () => renewLease(deps, job),
      limitMs,
    );
    // A finished job must not be released.
    runningJobs?.delete(job);
  } catch (error) {
    const { isFinal, waitMs, ...failure } = afterFailure(deps, job, error);
    // The payload stays, because the operator may retry the job.
    const next = isFinal ? { failed_at: clock.now(), lane: null } : { run_at: fromNow(clock, waitMs) };
    await recordEnd(() => updateRun(database, job, { ...failure, ...next }), signal);
    if (error instanceof Away) await delayKind(database, clock, job.kind);
    return false;
  }
  // The payload may be personal and is no longer needed.
  const success = { payload: EMPTY_PAYLOAD, lane: null, done_at: clock.now(), last_error: null };
  await recordEnd(() => updateRun(database, job, success), signal);
  return true;
}

/**
 * Records how a job ended. Retries for half of the lease while the database is unreachable, because otherwise
 * the job runs again and a mail is sent twice. After a stop it tries at most once more.
 */
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
  const isAway = error instanceof Away;
  const failures = job.failures + (isAway ? 0 : 1);
  const isFinal = error instanceof GiveUp || failures >= FAILURES_MAX || job.attempts >= ATTEMPTS_MAX;
  const reason = reasonOf(error);
  const { id, kind, attempts } = job;
  log[isFinal ? 'error' : 'warn']({ job: id, kind, attempts, reason }, 'a job failed');
  const waitMs = isAway ? awayMs(attempts) : backOffMs(failures);
  return { failures, last_error: reason, isFinal, waitMs };
}

type Run = {
  readonly signal?: AbortSignal;
  readonly kinds?: Kinds;
  readonly limitMs?: number;
  readonly runningJobs?: Set<ClaimedJob>;
};

/** Runs due jobs until none is left or `signal` aborts; returns the number of runs. */
export async function runDueJobs(deps: Deps, handlers: JobHandlers, run: Run = {}): Promise<number> {
  for (let count = 0; ;) {
    if (run.signal?.aborted) return count;
    await releaseExpired(deps);
    const due = await claimDue(deps, run.kinds);
    if (due.length === 0) return count;
    const ends = await Promise.allSettled(due.map((job) => runJob(deps, handlers, job, run)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const doneJobs = due.filter((_, at) => ends[at]?.status === 'fulfilled' && ends[at].value);
    await resumeKinds(
      deps.sql,
      doneJobs.map(({ kind }) => kind),
    );
    count += due.length;
  }
}

/** Deletes a feature's expired rows. */
export type Sweep = (deps: Deps) => Promise<unknown>;

/** Runs all sweeps in turn; a failing one does not stop the others. */
export async function sweepAll(deps: Deps, sweeps: readonly Sweep[]) {
  for (const sweep of [deleteEnded, ...sweeps])
    try {
      await sweep(deps);
    } catch (error) {
      deps.log.warn({ reason: reasonOf(error) }, 'a sweep failed');
    }
}

/** A sign-out notice tells an application's server that a session has ended. Each application has a lane. */
const NOTICE = 'sign-out';
const NOTICES_AT_ONCE = 16;
const EXPORT = 'make-data-export';
/**
 * Mails wait for a foreign server, and an archive takes minutes, so they have loops of their own. Sign-out notices have
 * slots, and no loop.
 */
const loops: readonly Kinds[] = [
  { only: 'mail' },
  { only: EXPORT, atOnce: 1 },
  { but: ['mail', EXPORT, NOTICE] },
];

/**
 * Runs due jobs: soon after this process writes them, and at least every `pollMs`. Sweeps every hour, in one
 * process for all. The returned function waits for the running jobs; after `graceMs` it gives them back, so
 * that others need not wait for their leases.
 */
export function startJobs(
  deps: Deps,
  handlers: JobHandlers,
  sweeps: readonly Sweep[],
  pollMs = SECOND_MS,
): (graceMs?: number) => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const runningJobs = new Set<ClaimedJob>();
  const onFault = (error: unknown) =>
    deps.log.warn({ reason: reasonOf(error) }, 'jobs wait for the next round');
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
  const run = (kinds: Kinds) => () => runDueJobs(deps, handlers, { signal, kinds, runningJobs });
  const notices = openSlots({
    atOnce: NOTICES_AT_ONCE,
    claim: (limit) => claimNotices(deps, NOTICE, limit),
    work: (job) => runJob(deps, handlers, job, { signal, limitMs: NOTICE_LIMIT_MS, runningJobs }),
    onFault,
    signal,
  });
  const rounds = [...loops.map(run), sweep].map((round) => loop(round, pollMs));
  // The operator's commands end sessions, too, and wake no loop.
  const running = [...rounds, loop(notices.fill, pollMs / 2).then(notices.drain)];
  return async (graceMs = 5 * SECOND_MS) => {
    stop.abort();
    const finished = new AbortController();
    await Promise.race([
      Promise.all(running).then(() => finished.abort()),
      pause(graceMs, undefined, { signal: finished.signal }).catch(() => undefined),
    ]);
    await releaseJobs(deps, runningJobs).catch((error: unknown) =>
      deps.log.warn({ reason: reasonOf(error) }, 'jobs under way wait until their lease runs out'),
    );
  };
}
