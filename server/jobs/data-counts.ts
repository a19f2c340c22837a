import { sql } from 'kysely';
import { type Clock, fromNow, HOUR_MS } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';

/** The jobs of one kind; `done` and `failed` count those of the last hour. */
type JobCount = {
  readonly kind: string;
  readonly due: number;
  readonly running: number;
  readonly done: number;
  readonly failed: number;
  readonly oldestDueSeconds: number;
};

/** Counts jobs by kind and state. Reads only indexes, so a long history does not slow it down. */
export async function jobCounts(database: Db, clock: Clock): Promise<readonly JobCount[]> {
  const now = clock.now();
  const anHourAgo = fromNow(clock, -HOUR_MS);
  const { rows } = await sql<JobCount>`
    select kind, sum(due)::int as due, sum(running)::int as running, sum(done)::int as done,
      sum(failed)::int as failed, coalesce(max(age), 0)::int as "oldestDueSeconds"
    from (
      select kind, (due_at <= ${now} and not leased)::int as due, leased::int as running, 0 as done, 0 as failed,
        case when due_at <= ${now} then extract(epoch from ${now}::timestamptz - due_at) end as age
      from (
        select kind, coalesce(failing_since, run_at) as due_at, coalesce(lease_until > ${now}, false) as leased
        from jobs where done_at is null and failed_at is null
      ) open
      union all select kind, 0, 0, 1, 0, null from jobs where done_at > ${anHourAgo}
      union all select kind, 0, 0, 0, 1, null from jobs where failed_at > ${anHourAgo}
    ) counted
    group by kind order by kind`.execute(database);
  return rows;
}
