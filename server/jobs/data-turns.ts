import { sql } from 'kysely';
import { type Clock, fromNow, SECOND_MS } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';

/** Whether this process may run a periodic task; true in one process, at most once per `everyMs`. */
export async function takeTurn(database: Db, clock: Clock, name: string, everyMs: number): Promise<boolean> {
  const row = await database
    .insertInto('job_turns')
    .values({ name, next_at: fromNow(clock, everyMs) })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((row) => ({ next_at: row.ref('excluded.next_at') }))
        .where('job_turns.next_at', '<=', clock.now()),
    )
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Delays all jobs of a kind: by two seconds at first, then doubling up to a minute. Concurrent failures count once. */
export const delayKind = (database: Db, clock: Clock, kind: string) =>
  sql`
    insert into job_turns as turn (name, next_at, misses)
    values (${kind}, ${fromNow(clock, 2 * SECOND_MS)}, 1)
    on conflict (name) do update set misses = least(turn.misses + 1, 6),
      next_at = ${clock.now()}::timestamptz + least(60, 2 ^ least(turn.misses + 1, 6)) * interval '1 second'
    where turn.next_at <= ${clock.now()}`.execute(database);

/** Ends the delay of these kinds, because one of their jobs succeeded. */
export const resumeKinds = async (database: Db, kinds: readonly string[]) => {
  if (kinds.length > 0) await database.deleteFrom('job_turns').where('name', 'in', kinds).execute();
};
