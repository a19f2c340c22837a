import type { UserId } from '#contract/wire.ts';
import { transaction, type Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { insertJob } from './data.ts';
import { wakeAfterCommit } from '#server/waking.ts';

type NewJob = {
  kind: string;
  payload: object;
  lane?: string;
  runAt?: Date;
  expiresAt?: Date;
  /** Of a mail, for operators. It stays when the mail is sent, so it names nobody. */
  letter?: string | null;
  /** The person the job is for; it is deleted with them. */
  userId?: UserId;
};

function insert(tx: Tx, { clock }: Pick<Deps, 'clock'>, job: NewJob, into: 'any lane' | 'an empty lane') {
  const now = clock.now();
  const { kind, payload, lane = null, runAt = now, expiresAt = null, userId = null, letter = null } = job;
  const row = { kind, payload: JSON.stringify(payload), lane, userId, letter, now, runAt, expiresAt };
  return insertJob(tx, row, into);
}

/** Writes a job in the caller's transaction, and returns its id. It runs after the commit, and never after a rollback. */
export async function enqueue(tx: Tx, deps: Pick<Deps, 'clock'>, job: NewJob): Promise<number> {
  const [added] = await insert(tx, deps, job, 'any lane');
  if (!added) throw new Error('a job was not written');
  wakeAfterCommit(tx);
  return added.id;
}

type LaterJob = NewJob & { readonly lane: string; readonly runAt: Date };
/** Like `enqueue`, but only into an empty lane; returns whether it did. Callers of a lane must hold one lock. */
export const enqueueUnlessWaiting = async (tx: Tx, deps: Pick<Deps, 'clock'>, job: LaterJob) =>
  (await insert(tx, deps, job, 'an empty lane')).length > 0;

export const enqueueAlone = (deps: Pick<Deps, 'sql' | 'clock'>, job: NewJob) =>
  transaction(deps.sql, (tx) => enqueue(tx, deps, job));
