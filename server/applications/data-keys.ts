import { sql } from 'kysely';
import type { SigningAlgorithm } from './tables.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { NewRow } from '#server/db/tables.ts';

export const insertKey = (tx: Tx, key: NewRow<'signing_keys'>) =>
  tx.insertInto('signing_keys').values(key).execute();

export const listKeys = (database: Db, now: Date) =>
  database
    .selectFrom('signing_keys')
    .select(['kid', 'algorithm', 'sealed_key', 'created_at', 'signs_from', 'retires_at'])
    .where((row) => row.or([row('retires_at', 'is', null), row('retires_at', '>', now)]))
    .orderBy('signs_from', 'desc')
    .orderBy('kid')
    .execute();

const KEYS_LOCK = 7_041_777;
/** Keeps other processes from making keys until the transaction ends. Reads do not wait. */
export const lockKeys = (tx: Tx) => sql`select pg_advisory_xact_lock(${sql.lit(KEYS_LOCK)})`.execute(tx);

/** From `at` on, only the newest key of the algorithm is published. */
export const retireKeys = (tx: Tx, algorithm: SigningAlgorithm, newest: string, at: Date) =>
  tx
    .updateTable('signing_keys')
    .set({ retires_at: at })
    .where('algorithm', '=', algorithm)
    .where('kid', '<>', newest)
    .where('retires_at', 'is', null)
    .execute();

export const deleteKeys = (tx: Tx) => tx.deleteFrom('signing_keys').execute();

export const deleteRetiredKeys = (database: Db, now: Date) =>
  database.deleteFrom('signing_keys').where('retires_at', '<=', now).execute();
