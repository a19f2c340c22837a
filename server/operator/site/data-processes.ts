import { sql } from 'kysely';
import { type Clock, fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';
import type { Process } from './rules.ts';

/** A process that is silent for so long has ended. */
const SILENCE_MAX_MS = 3 * MINUTE_MS;

type Told = Pick<Process, 'name' | 'release' | 'brand' | 'storageProblem'>;

/** Keeps since when a process runs this release, shows this brand, and fails at its storage. */
export const noteProcess = (database: Db, clock: Clock, told: Told) => {
  const now = clock.now();
  return sql`insert into processes as former
      (name, release, brand, changed_at, storage_problem, storage_failing_since, expires_at)
    values (${told.name}, ${told.release}, ${told.brand}, ${now}, ${told.storageProblem},
      ${told.storageProblem === null ? null : now}, ${fromNow(clock, SILENCE_MAX_MS)})
    on conflict (name) do update set release = excluded.release, brand = excluded.brand,
      changed_at = case when (former.release, former.brand) = (excluded.release, excluded.brand)
        then former.changed_at else excluded.changed_at end,
      storage_problem = excluded.storage_problem,
      storage_failing_since = case when excluded.storage_problem is not null
        then coalesce(former.storage_failing_since, excluded.storage_failing_since) end,
      expires_at = excluded.expires_at`.execute(database);
};

export const deleteProcess = (database: Db, name: string) =>
  database.deleteFrom('processes').where('name', '=', name).execute();

export async function listProcesses(database: Db, now: Date): Promise<readonly Process[]> {
  const { rows } = await sql<Process>`
    select name, release, brand, changed_at as "changedAt", storage_problem as "storageProblem",
      storage_failing_since as "storageSince"
    from processes where expires_at > ${now} order by name`.execute(database);
  return rows;
}
