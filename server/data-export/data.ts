import { sql } from 'kysely';
import type { FileId } from '#contract/area-wire.ts';
import { MEMBER_STATUS } from '#contract/members.ts';
import type { UserId } from '#contract/wire.ts';
import type { Source } from '#server/data-export/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';

const columns = ['id', 'requested_at', 'made_at', 'expires_at', 'file_id', 'byte_count'] as const;

export const findExport = (database: Db, userId: UserId) =>
  database.selectFrom('data_exports').select(columns).where('user_id', '=', userId).executeTakeFirst();
export type DataExport = NonNullable<Awaited<ReturnType<typeof findExport>>>;

export const insertExport = (tx: Tx, userId: UserId, now: Date) =>
  tx
    .insertInto('data_exports')
    .values({ user_id: userId, requested_at: now })
    .returning(columns)
    .executeTakeFirstOrThrow();

/** Deletes a person's archive, finished or not. */
export const deleteExport = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('data_exports').where('user_id', '=', userId).returning('file_id').executeTakeFirst();

type Made = {
  readonly file_id: FileId;
  readonly byte_count: number;
  readonly made_at: Date;
  readonly expires_at: Date;
};
/** Finishes a requested archive. Returns the person, or nothing if the request is gone or was finished before. */
export const finishExport = (tx: Tx, id: number, made: Made) =>
  tx
    .updateTable('data_exports')
    .set(made)
    .where('id', '=', id)
    .where('made_at', 'is', null)
    .returning('user_id as userId')
    .executeTakeFirst();

/** The person of a request whose archive is not made yet. */
export const findUnmade = (database: Db, id: number) =>
  database
    .selectFrom('data_exports')
    .select('user_id as userId')
    .where('id', '=', id)
    .where('made_at', 'is', null)
    .executeTakeFirst();

/** Deletes archives past their end, and requests from before `lost`, whose job has failed. */
export const deleteEndedExports = (tx: Tx, now: Date, lost: Date) =>
  tx
    .deleteFrom('data_exports')
    .where((row) =>
      row.or([
        row('expires_at', '<=', now),
        row.and([row('made_at', 'is', null), row('requested_at', '<', lost)]),
      ]),
    )
    .returning('file_id')
    .execute();

/** The tables whose rows have a name, by the column that refers to them. */
const named = { org_id: 'organizations', role_id: 'roles', application_id: 'applications' } as const;

/** A person's rows of one table, each with the names of what it refers to. */
export async function listSourceRows(
  database: Db,
  table: string,
  source: Pick<Source, 'of' | 'columns'>,
  userId: UserId,
) {
  const namesOf = Object.entries(named)
    .filter(([column]) => source.columns.includes(column))
    .map(
      ([column, other]) =>
        sql`(select name from ${sql.table(other)} as other where other.id = mine.${sql.ref(column)})
          as ${sql.ref(column.replace(/id$/, 'name'))}`,
    );
  const own = source.columns.map((column) => sql`mine.${sql.ref(column)}`);
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join([...own, ...namesOf])} from ${sql.table(table)} as mine
    where mine.${sql.ref(source.of)} = ${userId} order by 1`.execute(database);
  return rows;
}

/** The organizations in which the person is active. */
export const listActiveIn = async (database: Db, userId: UserId) =>
  database
    .selectFrom('memberships')
    .select('org_id as orgId')
    .where('user_id', '=', userId)
    .where('status', '=', MEMBER_STATUS.active)
    .execute();

export const findPictureFile = (database: Db, userId: UserId) =>
  database
    .selectFrom('pictures')
    .select(['file_id as fileId', 'media_type as mediaType'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
