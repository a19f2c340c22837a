import type { Db } from './connect.ts';

/** Keeps that pages show this version of the terms. Reads first, so that a process can start on a read-only database. */
export const notingTerms = (sql: Db) => async (version: string, now: Date) => {
  const known = await sql
    .selectFrom('terms_versions')
    .where('version', '=', version)
    .select('version')
    .execute();
  if (known.length > 0) return;
  await sql
    .insertInto('terms_versions')
    .values({ version, shown_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
