import type { UserId } from '#contract/wire.ts';
import { transaction, type Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { insertJob, insertJobUnlessWaiting } from '#server/jobs/data.ts';
import { wakeAfterCommit } from '#server/waking.ts';

type NewJob = {
  kind: string;
  payload: object;
  lane?: string;
  runAt?: Date;
  expiresAt?: Date;
  /** The person the job is for; it is deleted with them. */
  userId?: UserId;
};

/** Writes a job in the caller's transaction, and returns its id. It runs after the commit, and never after a rollback. */
export async function enqueue(tx: Tx, deps: Pick<Deps, 'clock'>, job: NewJob): Promise<number> {
  const now = deps.clock.now();
  const { kind, payload, lane = null, runAt = now, expiresAt = null, userId = null } = job;
  const row = { kind, payload: JSON.stringify(payload), lane, userId, now, runAt, expiresAt };
  const [added] = await insertJob(tx, row);
  if (!added) throw new Error('a job was not written');
  wakeAfterCommit(tx);
  return added.id;
}

type NewLaneJob = NewJob & { readonly lane: string; readonly runAt: Date };

/**
 * Like `enqueue`, but only into an empty lane; returns whether it did. Callers of a lane must hold one lock.
 */
export async function enqueueUnlessWaiting(tx: Tx, { clock }: Pick<Deps, 'clock'>, job: NewLaneJob) {
  const { kind, payload, lane, runAt, userId = null } = job;
  const rows = await insertJobUnlessWaiting(tx, {
    kind,
    payload: JSON.stringify(payload),
    lane,
    userId,
    runAt,
    now: clock.now(),
  });
  return rows.length > 0;
}
/** Writes a job in a transaction of its own. */
export const enqueueAlone = (deps: Pick<Deps, 'sql' | 'clock'>, job: NewJob) =>
  transaction(deps.sql, (tx) => enqueue(tx, deps, job));
