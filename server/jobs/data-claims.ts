import { sql, type UpdateObject } from 'kysely';
import { fromNow } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import type { TurnJob } from './rules.ts';

export type ClaimedJob = {
  id: number;
  kind: string;
  lane: string | null;
  payload: object;
  attempts: number;
  failures: number;
};

/** A failing job holds its lane for about forty minutes, so an outage keeps the order and one bad mail blocks nobody. */
export const PATIENT_FAILURES = 30;
/** A job lost this often probably ends its process itself. From the second loss on its wait doubles, 45 minutes in all. */
const LOST_MAX = 6;

type World = Pick<Deps, 'sql' | 'clock'>;

type Claim = { readonly kinds: readonly string[]; readonly limit: number; readonly leaseMs: number };

/** `skip locked` leaves the rest to others; a lane gives its oldest. A lost job comes first and alone. */
export async function claimDue(world: World, claim: Claim): Promise<ClaimedJob[]> {
  const lostJobs = await claimWhere(world, { ...claim, limit: 1 }, sql`lost > 0`);
  return lostJobs.length > 0 ? lostJobs : claimWhere(world, claim, sql`lost = 0`);
}

async function claimWhere(world: World, { kinds, limit, leaseMs }: Claim, condition: ReturnType<typeof sql>) {
  const now = world.clock.now();
  return lease(
    world,
    sql`
      select id from jobs job
      where done_at is null and failed_at is null and run_at <= ${now} and lease_until is null
        and ${condition} and kind = any (${kinds})
        and kind <> all (array(select name from job_turns where next_at > ${now}))
        and not exists (
          select 1 from jobs earlier
          where earlier.lane = job.lane and earlier.id < job.id
            and (earlier.failures < ${PATIENT_FAILURES} or earlier.lease_until is not null)
        )
      order by run_at, id limit ${limit} for update skip locked`,
    leaseMs,
  );
}

async function lease({ sql: database, clock }: World, ids: ReturnType<typeof sql>, leaseMs: number) {
  const { rows } = await sql<ClaimedJob>`
    update jobs set lease_until = ${fromNow(clock, leaseMs)}, attempts = attempts + 1
    where id in (${ids}) returning id, kind, lane, payload, attempts, failures`.execute(database);
  return rows.toSorted((a, b) => a.id - b.id);
}

/** More due jobs of one lane than it has turns in one claim. */
const CANDIDATES_PER_LANE = 8;

/** The running ones, then the due ones, oldest first: of an ordered lane its first, of others some. */
export async function listTurnJobs({ sql: database, clock }: World, kind: string, isOrdered: boolean) {
  const now = clock.now();
  const due = sql`job.lease_until is null and job.run_at <= ${now}`;
  const ofLane = sql`select id, lane, run_at, lease_until from jobs where kind = ${kind} and lane = lanes.lane`;
  const { rows } = await sql<TurnJob>`
    with recursive lanes as (
      (select lane from jobs where kind = ${kind} and lane is not null order by lane limit 1)
      union all
      select (select lane from jobs where kind = ${kind} and lane > lanes.lane order by lane limit 1)
      from lanes where lane is not null
    )
    select id, lane, true as "isRunning" from jobs
    where kind = ${kind} and lane is not null and lease_until is not null
    union all select * from (
      select id, job.lane, false from lanes cross join lateral (${
        isOrdered
          ? sql`${ofLane} order by id limit 1`
          : sql`${ofLane} and lease_until is null and run_at <= ${now} order by run_at, id limit ${CANDIDATES_PER_LANE}`
      }) as job
      where ${due} and not exists (select from job_turns where name = ${kind} and next_at > ${now})
      order by run_at, id
    ) due`.execute(database);
  return rows;
}

export const claimJobs = (world: World, ids: readonly number[], leaseMs: number) =>
  lease(
    world,
    sql`select id from jobs
      where id = any (${ids}) and lane is not null and lease_until is null and run_at <= ${world.clock.now()}
      for update skip locked`,
    leaseMs,
  );

/** All if the job had failed before, because an outage has ended; else the two with the fewest failures. */
export const releaseLane = ({ sql: database, clock }: World, lane: string, succeeded: number) =>
  sql`
    update jobs set run_at = ${clock.now()} where id in (
      select id from jobs where lane = ${lane} and failures > 0 and lease_until is null and run_at > ${clock.now()}
      order by failures, id limit (select case when failures = 0 then 2 end from jobs where id = ${succeeded})
      for update skip locked)`.execute(database);

/** Each claim counts an attempt, so a run that lost its lease can no longer change the job. */
export const updateRun = (
  database: Db,
  { id, attempts }: ClaimedJob,
  columns: UpdateObject<Tables, 'jobs'>,
  failedAt: Date | null = null,
) =>
  database
    .updateTable('jobs')
    .set({ ...columns, lease_until: null })
    .$if(failedAt !== null, (query) =>
      query.set({ failing_since: sql<Date>`coalesce(failing_since, ${failedAt}::timestamptz)` }),
    )
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();

/** Prolongs the lease of a run; false if it has lost the job. */
export async function renewLease(
  { sql: database, clock }: World,
  { id, attempts }: ClaimedJob,
  leaseMs: number,
) {
  const { numUpdatedRows } = await database
    .updateTable('jobs')
    .set({ lease_until: fromNow(clock, leaseMs) })
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

/** Frees jobs whose lease ran out because their process ended. Losses of harmless kinds do not count. */
export async function releaseExpired({ sql: database, clock }: World, harmless: readonly string[]) {
  const now = clock.now();
  await sql`
    update jobs set failed_at = ${now}, last_error = 'out of date', payload = '{}', lane = null
    where expires_at <= ${now} and done_at is null and failed_at is null and lease_until is null`.execute(
    database,
  );
  const isLast = sql`lost + 1 >= ${LOST_MAX}`;
  await sql`
    update jobs set lease_until = null where kind = any (${harmless}) and lease_until <= ${now}`.execute(
    database,
  );
  await sql`
    update jobs set lost = lost + 1, lease_until = null,
      run_at = case when lost = 0 then run_at else ${now}::timestamptz + interval '1 minute' * power(2, lost) end,
      failed_at = case when ${isLast} then ${now}::timestamptz end,
      last_error = case when ${isLast} then 'its process ended while it ran, time after time' else last_error end,
      payload = case when ${isLast} then '{}' else payload end,
      lane = case when ${isLast} then null else lane end
    where lease_until <= ${now}`.execute(database);
}
