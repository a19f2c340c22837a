import { sql } from 'kysely';
import { afterCommit, type Db, transaction, type Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import { wake } from '#server/jobs/waking.ts';

type NewJob = { kind: string; payload: object; lane?: string; runAt?: Date; expiresAt?: Date };

/** Writes a job down in the caller's transaction: it is done after the commit, or never if that rolls back. */
export async function enqueue(tx: Tx, deps: Pick<Deps, 'clock'>, job: NewJob): Promise<void> {
  const now = deps.clock.now();
  const { kind, payload, lane = null, runAt = now, expiresAt = null } = job;
  await jobAdded(tx, { kind, payload: JSON.stringify(payload), lane, now, runAt, expiresAt });
  afterCommit(tx, wake);
}

/** Writes a job down in a transaction of its own, where nothing else belongs to it. */
export const enqueueAlone = (deps: Pick<Deps, 'sql' | 'clock'>, job: NewJob) =>
  transaction(deps.sql, (tx) => enqueue(tx, deps, job));

type Row = Readonly<{
  kind: string;
  payload: string;
  lane: string | null;
  now: Date;
  runAt: Date;
  expiresAt: Date | null;
}>;
const jobAdded = prepared((tx, job: Row) =>
  tx.insertInto('jobs').values({
    kind: job.kind,
    payload: sql`${job.payload}::jsonb`,
    lane: job.lane,
    created_at: job.now,
    run_at: job.runAt,
    expires_at: job.expiresAt,
  }),
);

/** Drops what waits in somebody's lanes, which are named `kind:whom`, and what failed on its way to them: they are gone. */
export const dropJobsFor = (tx: Db, whom: string) =>
  tx
    .deleteFrom('jobs')
    .where((job) =>
      job.or([
        job(sql`substr(lane, strpos(lane, ':') + 1)`, '=', whom).and('lane', 'is not', null),
        job(sql`coalesce(payload->>'to', payload->>'email')`, '=', whom).and('failed_at', 'is not', null),
      ]),
    )
    .execute();
