import { sql, type UpdateObject } from 'kysely';
import { fromNow, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';

export type ClaimedJob = { id: number; kind: string; payload: object; attempts: number; failures: number };
/** Jobs of one kind, so many at once, or of all kinds but these. */
export type Kinds = { readonly only: string; readonly atOnce?: number } | { readonly but: readonly string[] };

/**
 * A failing job holds its lane for this many failures, about forty minutes. So an outage keeps the order, and
 * one bad mail does not block its lane for good.
 */
export const PATIENT_FAILURES = 30;
const LEASE_MS = 2 * MINUTE_MS;
/** A sign-out notice takes 5 s at most, so a short lease is enough. */
const NOTICE_LEASE_MS = 15 * SECOND_MS;
/**
 * Mails wait for a foreign server. Others use database connections that requests need, so fewer run at once.
 */
const MAILS_AT_ONCE = 8;
const OTHERS_AT_ONCE = 3;
/**
 * Give up a job that was lost with its process this often, because it probably ends the process itself. From
 * the second loss on its wait doubles, 45 minutes in all, so that other causes can pass.
 */
const LOST_MAX = 6;

type World = Pick<Deps, 'sql' | 'clock'>;

/**
 * Claims due jobs for this process. `skip locked` leaves the rest to others, and a lane gives only its
 * oldest. A job that was lost with its process comes first and alone, so that it takes no other job with it.
 */
export async function claimDue(world: World, kinds?: Kinds): Promise<ClaimedJob[]> {
  const limit = kinds && 'but' in kinds ? OTHERS_AT_ONCE : (kinds?.atOnce ?? MAILS_AT_ONCE);
  const lostJobs = await claim(world, { kinds, condition: sql`lost > 0`, limit: 1 });
  return lostJobs.length > 0 ? lostJobs : claim(world, { kinds, condition: sql`lost = 0`, limit });
}

/** Claims due sign-out notices. A lost one need not run alone, because a notice cannot end its process. */
export const claimNotices = (world: World, kind: string, limit: number) =>
  claim(world, { kinds: { only: kind }, condition: sql`true`, limit, leaseMs: NOTICE_LEASE_MS });

type Claim = {
  readonly kinds: Kinds | undefined;
  readonly condition: ReturnType<typeof sql>;
  readonly limit: number;
  readonly leaseMs?: number;
};

async function claim(
  { sql: database, clock }: World,
  { kinds, condition, limit, leaseMs = LEASE_MS }: Claim,
): Promise<ClaimedJob[]> {
  const now = clock.now();
  const ofKind =
    kinds === undefined
      ? sql`true`
      : 'only' in kinds
        ? sql`kind = ${kinds.only}`
        : sql`kind <> all (${kinds.but})`;
  const { rows } = await sql<ClaimedJob>`
    update jobs set lease_until = ${fromNow(clock, leaseMs)}, attempts = attempts + 1
    where id in (
      select id from jobs job
      where done_at is null and failed_at is null and run_at <= ${now} and lease_until is null
        and ${condition} and ${ofKind}
        and kind <> all (array(select name from job_turns where next_at > ${now}))
        and not exists (
          select 1 from jobs earlier
          where earlier.lane = job.lane and earlier.id < job.id
            and (earlier.failures < ${PATIENT_FAILURES} or earlier.lease_until is not null)
        )
      order by run_at, id limit ${limit} for update skip locked
    )
    returning id, kind, payload, attempts, failures`.execute(database);
  return rows.toSorted((a, b) => a.id - b.id);
}

/**
 * Ends a run. Each claim counts an attempt, so a run that lost its lease to another one can no longer change
 * the job.
 */
export const updateRun = (
  database: Db,
  { id, attempts }: ClaimedJob,
  columns: UpdateObject<Tables, 'jobs'>,
) =>
  database
    .updateTable('jobs')
    .set({ ...columns, lease_until: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();

/** Prolongs the lease of a run; false if it has lost the job. */
export async function renewLease({ sql: database, clock }: World, { id, attempts }: ClaimedJob) {
  const { numUpdatedRows } = await database
    .updateTable('jobs')
    .set({ lease_until: fromNow(clock, LEASE_MS) })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('lease_until', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Frees these jobs for other processes. They do not count as lost. */
export async function releaseJobs({ sql: database }: World, jobs: Iterable<ClaimedJob>) {
  for (const job of jobs) await updateRun(database, job, {});
}

/** Fails expired jobs, and frees those whose lease ran out because their process ended. */
export async function releaseExpired({ sql: database, clock }: World) {
  const now = clock.now();
  await sql`
    update jobs set failed_at = ${now}, last_error = 'out of date', payload = '{}', lane = null
    where expires_at <= ${now} and done_at is null and failed_at is null and lease_until is null`.execute(
    database,
  );
  const isLast = sql`lost + 1 >= ${LOST_MAX}`;
  await sql`
    update jobs set lost = lost + 1, lease_until = null,
      run_at = case when lost = 0 then run_at else ${now}::timestamptz + interval '1 minute' * power(2, lost) end,
      failed_at = case when ${isLast} then ${now}::timestamptz end,
      last_error = case when ${isLast} then 'its process ended while it ran, time after time' else last_error end,
      payload = case when ${isLast} then '{}' else payload end,
      lane = case when ${isLast} then null else lane end
    where lease_until <= ${now}`.execute(database);
}
