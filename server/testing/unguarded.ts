import { sql } from 'kysely';
import { type Db, transaction } from '#server/db/connect.ts';

const guards = {
  activity: ['activity_append_only', 'activity_never_emptied'],
  activity_chains: ['activity_chains_only_grow', 'activity_chains_never_emptied'],
};

/** Changes the activity log without its triggers, as the owner of the tables could. */
export const runUnguarded = (database: Db, ...statements: string[]) =>
  transaction(database, async (tx) => {
    const guard = async (how: string) => {
      for (const [table, triggers] of Object.entries(guards))
        for (const trigger of triggers)
          await sql.raw(`alter table ${table} ${how} trigger ${trigger}`).execute(tx);
    };
    await guard('disable');
    for (const statement of statements) await sql.raw(statement).execute(tx);
    await guard('enable always');
  });

export const emptyLog = (database: Db) =>
  runUnguarded(database, 'truncate activity, activity_chains restart identity');
