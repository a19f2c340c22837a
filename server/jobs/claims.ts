import { sql } from 'kysely';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';

export type ClaimedJob = { id: number; kind: string; payload: object; attempts: number; failures: number };
/** Jobs of one kind, or of all others. */
export type Kinds = { readonly only: string } | { readonly but: string };

/** For about forty minutes a job that fails holds its lane: an outage leaves the order as it is, one bad mail does not stop the rest for good. */
export const PATIENT_FAILURES = 30;
const LEASE_MS = 2 * MINUTE_MS;
/** Mails wait for a server that is not ours; others have connections in use that people's writes wait for. */
const AT_ONCE = 8;
const OTHERS_AT_ONCE = 3;
/**
 * A job that was lost with its process so often is not tried again. From the second time on it waits, twice as long each
 * time: in three quarters of an hour either what else ends processes is over, or it is the job.
 */
const LOST_MAX = 6;

type World = Pick<Deps, 'sql' | 'clock'>;

/**
 * Takes due jobs for this process: skip locked lets others take the rest, a lane gives its oldest only. A job that was
 * lost with its process comes first and alone, so that no other is lost with it again.
 */
export async function claimDue(world: World, kinds?: Kinds): Promise<ClaimedJob[]> {
  const most = kinds && 'but' in kinds ? OTHERS_AT_ONCE : AT_ONCE;
  const suspect = await claim(world, kinds, sql`lost > 0`, 1);
  return suspect.length > 0 ? suspect : claim(world, kinds, sql`lost = 0`, most);
}

async function claim(
  { sql: database, clock }: World,
  kinds: Kinds | undefined,
  those: ReturnType<typeof sql>,
  most: number,
): Promise<ClaimedJob[]> {
  const now = clock.now();
  const ofKind =
    kinds === undefined ? sql`true` : 'only' in kinds ? sql`kind = ${kinds.only}` : sql`kind <> ${kinds.but}`;
  const { rows } = await sql<ClaimedJob>`
    update jobs set lease_until = ${fromNow(clock, LEASE_MS)}, attempts = attempts + 1
    where id in (
      select id from jobs job
      where done_at is null and failed_at is null and run_at <= ${now} and lease_until is null
        and ${those} and ${ofKind}
        and kind <> all (array(select name from job_turns where next_at > ${now}))
        and not exists (
          select 1 from jobs earlier
          where earlier.lane = job.lane and earlier.id < job.id
            and (earlier.failures < ${PATIENT_FAILURES} or earlier.lease_until is not null)
        )
      order by run_at, id limit ${most} for update skip locked
    )
    returning id, kind, payload, attempts, failures`.execute(database);
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Lets others take at once what this process will not finish; that is no loss, so it counts as none. */
export async function giveBack({ sql: database }: World, jobs: Iterable<ClaimedJob>) {
  for (const { id, attempts } of jobs)
    await database
      .updateTable('jobs')
      .set({ lease_until: null })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .execute();
}

/** Gives up what is out of date, and takes back what a process left behind when it ended. */
export async function tidyUp({ sql: database, clock }: World) {
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
