import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Clock, DAY_MS, fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';
import { isUnreachable } from '#server/db/constraints.ts';
import type { Deps } from '#server/deps.ts';
import {
  claimDue,
  type ClaimedJob,
  giveBack,
  type Kinds,
  PATIENT_FAILURES,
  tidyUp,
} from '#server/jobs/claims.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { endAway, startAway, takeTurn } from '#server/jobs/turns.ts';
import { jobsWritten, pauseUntilJob } from '#server/jobs/waking.ts';
import { workFor } from '#server/origin.ts';

/** What a kind of job does; it may run more than once, so its effect must be the same the second time. */
type JobHandler = (deps: Deps, payload: never, jobId: number) => Promise<void>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Past this a job counts as failed, though its lease would last longer: whoever hangs holds up nobody for long. */
const LIMIT_MS = MINUTE_MS;
const NOTED_AGAIN_MS = SECOND_MS / 4;
/** A week of tries while the other side is away. */
const ATTEMPTS_MAX = 10_000;
const PATIENT_MS = 90 * SECOND_MS;
/** Then it is tried four times an hour, until a day is over. */
const FAILURES_MAX = PATIENT_FAILURES + 93;

/** Thrown by a handler when trying again can't help. */
export class GiveUp extends Error {}

/** Thrown by a handler when what it needs can't be reached: no job's fault, and all of its kind wait for it together. */
export class Away extends Error {}

/** Seconds that double up to a minute and a half, and a quarter of an hour once that was in vain for long. */
export const backOffMs = (failures: number) =>
  failures > PATIENT_FAILURES ? 15 * MINUTE_MS : Math.min(PATIENT_MS, SECOND_MS * 2 ** Math.min(failures, 7));

/** When an away side is asked again at the latest. */
const awayMs = (attempts: number) => Math.min(MINUTE_MS, SECOND_MS * 2 ** Math.min(attempts, 6));

/** The work's own end, or an error when it takes too long; what still comes of it then counts for nothing. */
async function withinLimit(work: Promise<void>, limitMs: number) {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`took longer than ${limitMs / SECOND_MS} s`)), limitMs);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the job was done. */
async function runOne(
  deps: Deps,
  handlers: JobHandlers,
  job: ClaimedJob,
  { signal, limitMs = LIMIT_MS, held }: Run,
): Promise<boolean> {
  const { sql: database, clock } = deps;
  // Each claim counts an attempt: who was overtaken after the lease ran out no longer has a say.
  const update = database.updateTable('jobs').where('id', '=', job.id).where('attempts', '=', job.attempts);
  try {
    const handler = handlers[job.kind];
    if (!handler) throw new GiveUp(`no handler for ${job.kind}`);
    // A request may have woken the loop; what is done now is not its work.
    await withinLimit(
      workFor(undefined, () => handler(deps, job.payload as never, job.id)),
      limitMs,
    );
    // What is done is not to be given back.
    held?.delete(job);
  } catch (error) {
    const { givenUp, waitMs, ...told } = afterFailure(deps, job, error);
    // What was in it stays until it is swept: an operator may have it tried again.
    const next = givenUp ? { failed_at: clock.now(), lane: null } : { run_at: fromNow(clock, waitMs) };
    await noted(() => update.set({ ...told, ...next, lease_until: null }).execute(), signal);
    if (error instanceof Away) await startAway(database, clock, job.kind);
    return false;
  }
  // What was in it may be personal; nothing of it is needed any more.
  const emptied = { payload: sql<never>`'{}'::jsonb`, lane: null };
  const done = { ...emptied, done_at: clock.now(), lease_until: null, last_error: null };
  await noted(() => update.set(done).execute(), signal);
  return true;
}

/**
 * Writes down how a job ended as soon as the database is there for it, and tries for half of the lease: what is done would be
 * done again, and a mail sent twice. Who is told to stop tries once more.
 */
async function noted(write: () => Promise<unknown>, signal?: AbortSignal) {
  const until = performance.now() + LIMIT_MS;
  for (;;)
    try {
      return await write();
    } catch (error) {
      if (!isUnreachable(error) || signal?.aborted || performance.now() > until) throw error;
      await pause(NOTED_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
}

/** Whether the job is tried again, and after how long. */
function afterFailure({ log }: Deps, job: ClaimedJob, error: unknown) {
  const isAway = error instanceof Away;
  const failures = job.failures + (isAway ? 0 : 1);
  const givenUp = error instanceof GiveUp || failures >= FAILURES_MAX || job.attempts >= ATTEMPTS_MAX;
  const reason = reasonOf(error);
  const { id, kind, attempts } = job;
  log[givenUp ? 'error' : 'warn']({ job: id, kind, attempts, reason }, 'a job failed');
  const waitMs = isAway ? awayMs(attempts) : backOffMs(failures);
  return { failures, last_error: reason, givenUp, waitMs };
}

type Run = {
  readonly signal?: AbortSignal;
  readonly kinds?: Kinds;
  readonly limitMs?: number;
  /** Where the jobs stand that are under way. */
  readonly held?: Set<ClaimedJob>;
};

/** Runs what is due until nothing is, or until told to stop; returns how many jobs were run. */
export async function runDueJobs(deps: Deps, handlers: JobHandlers, run: Run = {}): Promise<number> {
  for (let count = 0; ;) {
    if (run.signal?.aborted) return count;
    await tidyUp(deps);
    const due = await claimDue(deps, run.kinds);
    if (due.length === 0) return count;
    const work = async (job: ClaimedJob) => {
      run.held?.add(job);
      try {
        return await runOne(deps, handlers, job, run);
      } finally {
        run.held?.delete(job);
      }
    };
    // All of them end before more are taken, or the loop.
    const ends = await Promise.allSettled(due.map(work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const done = due.filter((_, at) => ends[at]?.status === 'fulfilled' && ends[at].value);
    await endAway(
      deps.sql,
      done.map(({ kind }) => kind),
    );
    count += due.length;
  }
}

/** Jobs that were given up and can still be done: what ran out or held nothing any more is left out. */
const givenUp = (database: Db, clock: Clock) =>
  database
    .selectFrom('jobs')
    .select(['id', 'kind', 'attempts', 'created_at', 'failed_at', 'last_error'])
    .where('failed_at', 'is not', null)
    .where('payload', '<>', sql<never>`'{}'::jsonb`)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', clock.now())]));

export const listFailed = (database: Db, clock: Clock, limit = 100) =>
  givenUp(database, clock).orderBy('id', 'desc').limit(limit).execute();

/** Puts failed jobs in line again, one or all, as if they were new; returns them as they were. */
export async function retryFailed(tx: Db, clock: Clock, jobId?: number) {
  const failed = await givenUp(tx, clock)
    .$if(jobId !== undefined, (query) => query.where('id', '=', jobId ?? 0))
    .forUpdate()
    .execute();
  if (failed.length > 0)
    await tx
      .updateTable('jobs')
      .set({ failed_at: null, last_error: null, attempts: 0, failures: 0, lost: 0, run_at: clock.now() })
      .where(
        'id',
        'in',
        failed.map(({ id }) => id),
      )
      .execute();
  return failed;
}

/** Deletes what is over and has only been refused since: a feature's expired rows. */
export type Sweep = (deps: Deps) => Promise<unknown>;

/** Jobs that ended long ago are history nobody reads. */
const sweepJobs: Sweep = ({ sql: database, clock }) =>
  database
    .deleteFrom('jobs')
    .where((row) =>
      row.or([
        row('done_at', '<', fromNow(clock, -30 * DAY_MS)),
        row('failed_at', '<', fromNow(clock, -30 * DAY_MS)),
      ]),
    )
    .execute();

/** Sweeps once, one thing after the other: what fails does so alone. */
export async function sweepAll(deps: Deps, sweeps: readonly Sweep[]) {
  for (const sweep of [sweepJobs, ...sweeps])
    try {
      await sweep(deps);
    } catch (error) {
      deps.log.warn({ reason: reasonOf(error) }, 'a sweep failed');
    }
}

/** Mails wait for a server that is not ours; what else there is to do does not wait with them. */
const rounds: readonly Kinds[] = [{ only: 'mail' }, { but: 'mail' }];

/**
 * Keeps running due jobs, soon after they are written down here, every `pollMs` at the latest, and sweeps every hour, one process for all; the returned
 * function stops once what runs now is through, or gives it back after `graceMs`: others need not wait for its lease.
 */
export function startJobs(
  deps: Deps,
  handlers: JobHandlers,
  sweeps: readonly Sweep[],
  pollMs = SECOND_MS,
): (graceMs?: number) => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const held = new Set<ClaimedJob>();
  const loop = async (round: () => Promise<unknown>) => {
    while (!signal.aborted) {
      const seen = jobsWritten();
      try {
        await round();
      } catch (error) {
        deps.log.warn({ reason: reasonOf(error) }, 'jobs wait for the next round');
      }
      await pauseUntilJob(pollMs, seen, signal);
    }
  };
  let sweepAt = deps.clock.now();
  const sweep = async () => {
    if (deps.clock.now() < sweepAt) return;
    const mine = await takeTurn(deps.sql, deps.clock, 'sweep', HOUR_MS);
    sweepAt = fromNow(deps.clock, mine ? HOUR_MS : MINUTE_MS);
    if (mine) await sweepAll(deps, sweeps);
  };
  const run = (kinds: Kinds) => () => runDueJobs(deps, handlers, { signal, kinds, held });
  const running = [...rounds.map(run), sweep].map(loop);
  return async (graceMs = 5 * SECOND_MS) => {
    stop.abort();
    const through = new AbortController();
    await Promise.race([
      Promise.all(running).then(() => through.abort()),
      pause(graceMs, undefined, { signal: through.signal }).catch(() => undefined),
    ]);
    await giveBack(deps, held).catch((error: unknown) =>
      deps.log.warn({ reason: reasonOf(error) }, 'jobs under way wait until their lease runs out'),
    );
  };
}
