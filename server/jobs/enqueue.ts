import { sql } from 'kysely';
import type { UserId } from '#contract/wire.ts';
import { afterCommit, type Db, transaction, type Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import { wake } from '#server/jobs/waking.ts';

type NewJob = {
  kind: string;
  payload: object;
  lane?: string;
  runAt?: Date;
  expiresAt?: Date;
  /** The person the job is for; it is deleted with them. */
  userId?: UserId;
};

/** Writes a job in the caller's transaction: it runs after the commit, and never after a rollback. */
export async function enqueue(tx: Tx, deps: Pick<Deps, 'clock'>, job: NewJob): Promise<void> {
  const now = deps.clock.now();
  const { kind, payload, lane = null, runAt = now, expiresAt = null, userId = null } = job;
  await jobAdded(tx, { kind, payload: JSON.stringify(payload), lane, userId, now, runAt, expiresAt });
  afterCommit(tx, wake);
}

type NewLaneJob = NewJob & { readonly lane: string; readonly runAt: Date };

/**
 * Like `enqueue`, but only into an empty lane; returns whether it did. Callers of a lane must hold one lock.
 */
export async function enqueueUnlessWaiting(tx: Tx, { clock }: Pick<Deps, 'clock'>, job: NewLaneJob) {
  const { kind, payload, lane, runAt, userId = null } = job;
  const rows = await jobAddedUnlessWaiting(tx, {
    kind,
    payload: JSON.stringify(payload),
    lane,
    userId,
    runAt,
    now: clock.now(),
  });
  return rows.length > 0;
}
type LaneRow = Readonly<{
  kind: string;
  payload: string;
  lane: string;
  userId: UserId | null;
  now: Date;
  runAt: Date;
}>;
const jobAddedUnlessWaiting = prepared(
  (_, job: LaneRow) => sql<{ id: number }>`
    insert into jobs (kind, payload, lane, user_id, created_at, run_at)
    select ${job.kind}::text, ${job.payload}::jsonb, ${job.lane}::text, ${job.userId}::bigint, ${job.now}::timestamptz, ${job.runAt}::timestamptz
    where not exists (select from jobs where lane = ${job.lane})
    returning id`,
);

/** Takes a running job out of its lane, in the transaction of its effect; false if an earlier run did so. */
export async function leaveLane(tx: Tx, jobId: number): Promise<boolean> {
  const result = await tx
    .updateTable('jobs')
    .set({ lane: null })
    .where('id', '=', jobId)
    .where('lane', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Writes a job in a transaction of its own. */
export const enqueueAlone = (deps: Pick<Deps, 'sql' | 'clock'>, job: NewJob) =>
  transaction(deps.sql, (tx) => enqueue(tx, deps, job));

type Row = Readonly<{
  kind: string;
  payload: string;
  lane: string | null;
  userId: UserId | null;
  now: Date;
  runAt: Date;
  expiresAt: Date | null;
}>;
const jobAdded = prepared((tx, job: Row) =>
  tx.insertInto('jobs').values({
    kind: job.kind,
    payload: sql`${job.payload}::jsonb`,
    lane: job.lane,
    user_id: job.userId,
    created_at: job.now,
    run_at: job.runAt,
    expires_at: job.expiresAt,
  }),
);

/** Deletes the jobs for a person who is erased. Jobs for other people at the same address stay. */
export const dropJobsOf = (tx: Db, userId: UserId) =>
  tx.deleteFrom('jobs').where('user_id', '=', userId).execute();

/** Gives the waiting mails of an address to its new owner. */
export const passMailsOn = (tx: Db, from: UserId, to: UserId, email: string) =>
  tx
    .updateTable('jobs')
    .set({ user_id: to })
    .where('user_id', '=', from)
    .where(sql`payload->>'to'`, '=', email)
    .execute();

/** Deletes failed jobs that named an address but no person, because the address is erased with its owner. */
export const dropFailedRequests = (tx: Db, email: string) =>
  tx
    .deleteFrom('jobs')
    .where('failed_at', 'is not', null)
    .where('user_id', 'is', null)
    .where(sql`coalesce(payload->>'to', payload->>'email')`, '=', email)
    .execute();
