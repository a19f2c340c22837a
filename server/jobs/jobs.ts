import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Clock, DAY_MS, fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

/** What a kind of job does; it may run more than once, so its effect must be the same the second time. */
export type JobHandler = (deps: Deps, payload: never, jobId: number) => Promise<void>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

type NewJob = { kind: string; payload: object; lane?: string; runAt?: Date; expiresAt?: Date };
type ClaimedJob = { id: number; kind: string; payload: object; attempts: number };

const LEASE_MS = 2 * MINUTE_MS;
const ATTEMPTS_MAX = 23;
const AT_ONCE = 8;

/** Thrown by a handler when trying again can't help. */
export class GiveUp extends Error {}

/** Writes a job down in the caller's transaction: it is done after the commit, or never if that rolls back. */
export async function enqueue(tx: Db, deps: Pick<Deps, 'clock'>, job: NewJob): Promise<void> {
  const now = deps.clock.now();
  await tx
    .insertInto('jobs')
    .values({
      kind: job.kind,
      payload: sql`${JSON.stringify(job.payload)}::jsonb`,
      lane: job.lane ?? null,
      created_at: now,
      run_at: job.runAt ?? now,
      expires_at: job.expiresAt ?? null,
    })
    .execute();
}

/** Seconds, then minutes, up to an hour apart: about half a day of tries in all. */
export const backOffMs = (attempts: number) => Math.min(HOUR_MS, SECOND_MS * 2 ** Math.min(attempts, 12));

/** Takes due jobs for this process: skip locked lets others take the rest, a lane gives its oldest only. */
async function claimDue({ sql: database, clock }: Deps): Promise<ClaimedJob[]> {
  const now = clock.now();
  const { rows } = await sql<ClaimedJob>`
    update jobs set lease_until = ${fromNow(clock, LEASE_MS)}, attempts = attempts + 1
    where id in (
      select id from jobs job
      where done_at is null and failed_at is null and run_at <= ${now}
        and (lease_until is null or lease_until <= ${now})
        and not exists (
          select 1 from jobs earlier
          where earlier.lane = job.lane and earlier.id < job.id
            and earlier.done_at is null and earlier.failed_at is null
        )
      order by run_at, id limit ${AT_ONCE} for update skip locked
    )
    returning id, kind, payload, attempts`.execute(database);
  return rows.toSorted((a, b) => a.id - b.id);
}

async function runOne(deps: Deps, handlers: JobHandlers, job: ClaimedJob): Promise<void> {
  const { sql: database, clock, log } = deps;
  // Each claim counts an attempt: who was overtaken after the lease ran out no longer has a say.
  const update = database.updateTable('jobs').where('id', '=', job.id).where('attempts', '=', job.attempts);
  try {
    const handler = handlers[job.kind];
    if (!handler) throw new GiveUp(`no handler for ${job.kind}`);
    await handler(deps, job.payload as never, job.id);
    // What was in it may be personal; nothing of it is needed any more.
    await update.set({ done_at: clock.now(), payload: sql`'{}'::jsonb`, lease_until: null }).execute();
  } catch (error) {
    const reason = (error as Error).message.slice(0, 500);
    const over = error instanceof GiveUp || job.attempts >= ATTEMPTS_MAX;
    log[over ? 'error' : 'warn'](
      { job: job.id, kind: job.kind, attempts: job.attempts, reason },
      'a job failed',
    );
    // What was in it stays until it is swept: an operator may have it tried again.
    const next = over ? { failed_at: clock.now() } : { run_at: fromNow(clock, backOffMs(job.attempts)) };
    await update.set({ ...next, last_error: reason, lease_until: null }).execute();
  }
}

const expire = ({ sql: database, clock }: Deps) =>
  database
    .updateTable('jobs')
    .set({ failed_at: clock.now(), last_error: 'out of date', payload: sql`'{}'::jsonb` })
    .where('expires_at', '<=', clock.now())
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<=', clock.now())]))
    .execute();

/** Runs what is due until nothing is, or until told to stop; returns how many jobs were run. */
export async function runDueJobs(deps: Deps, handlers: JobHandlers, signal?: AbortSignal): Promise<number> {
  for (let count = 0; ;) {
    if (signal?.aborted) return count;
    await expire(deps);
    const due = await claimDue(deps);
    if (due.length === 0) return count;
    await Promise.all(due.map((job) => runOne(deps, handlers, job)));
    count += due.length;
  }
}

/** How one kind of job stands: what could run now, what does, what ended within the hour, and how long the oldest has been due. */
export type JobCount = {
  readonly kind: string;
  readonly due: number;
  readonly running: number;
  readonly done: number;
  readonly failed: number;
  readonly oldestDueSeconds: number;
};

/** The job table in figures, by kind; indexes alone are read, however much history there is. */
export async function jobCounts(database: Db, clock: Clock): Promise<readonly JobCount[]> {
  const now = clock.now();
  const anHourAgo = fromNow(clock, -HOUR_MS);
  const { rows } = await sql<JobCount>`
    select kind, sum(due)::int as due, sum(running)::int as running, sum(done)::int as done,
      sum(failed)::int as failed, coalesce(max(age), 0)::int as "oldestDueSeconds"
    from (
      select kind, (run_at <= ${now} and not leased)::int as due, leased::int as running, 0 as done, 0 as failed,
        case when run_at <= ${now} then extract(epoch from ${now}::timestamptz - run_at) end as age
      from (
        select kind, run_at, coalesce(lease_until > ${now}, false) as leased
        from jobs where done_at is null and failed_at is null
      ) open
      union all select kind, 0, 0, 1, 0, null from jobs where done_at > ${anHourAgo}
      union all select kind, 0, 0, 0, 1, null from jobs where failed_at > ${anHourAgo}
    ) counted
    group by kind order by kind`.execute(database);
  return rows;
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
      .set({ failed_at: null, last_error: null, attempts: 0, run_at: clock.now() })
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

/**
 * Keeps running due jobs, every `pollMs` at the latest, and sweeps every hour; the returned function stops once what
 * runs now is through.
 */
export function startJobs(
  deps: Deps,
  handlers: JobHandlers,
  sweeps: readonly Sweep[],
  pollMs = SECOND_MS,
): () => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const loop = async () => {
    let sweepAt = deps.clock.now();
    while (!signal.aborted) {
      try {
        await runDueJobs(deps, handlers, signal);
        if (deps.clock.now() >= sweepAt) {
          sweepAt = fromNow(deps.clock, HOUR_MS);
          await Promise.all([sweepJobs, ...sweeps].map((sweep) => sweep(deps)));
        }
      } catch (error) {
        deps.log.warn({ reason: (error as Error).message }, 'jobs wait for the next round');
      }
      await pause(pollMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return async () => {
    stop.abort();
    await running;
  };
}
