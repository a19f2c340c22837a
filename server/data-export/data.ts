import type { OrgId, UserId } from '#contract/wire.ts';
import { sql, type Updateable } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Tables } from '#server/db/tables.ts';

type Subject = { readonly userId: UserId | null; readonly orgId: OrgId | null };
const files = ['file_id', 'further_file_ids'] as const;

export const findExport = (database: Db, { userId, orgId }: Subject) =>
  database
    .selectFrom('data_exports')
    .leftJoin('jobs', 'jobs.id', 'data_exports.job_id')
    .select(['requested_at', 'requested_by', 'made_at', 'data_exports.expires_at', 'byte_count'])
    // As JSON the ids are numbers.
    .select(sql<OrgId[] | null>`array_to_json(org_ids)`.as('org_ids'))
    .select(files)
    .select('jobs.failed_at')
    .select(
      sql<boolean>`exists (select from unnest(org_ids) as covered (org_id) where not exists (
        select from memberships where memberships.user_id = data_exports.user_id
          and memberships.org_id = covered.org_id and memberships.status = ${MEMBER_STATUS.active}))`.as(
        'covers_left',
      ),
    )
    .$if(userId !== null, (query) => query.where('data_exports.user_id', '=', userId))
    .$if(orgId !== null, (query) => query.where('org_id', '=', orgId))
    .executeTakeFirst();
export type DataExport = NonNullable<Awaited<ReturnType<typeof findExport>>>;

/** Adds a request. It names the caller if the subject is an organization, and those that a person's archive covers. */
export async function insertExport(tx: Tx, { userId, orgId }: Subject, caller: Caller, now: Date) {
  const { id } = await tx
    .insertInto('data_exports')
    .values({
      user_id: userId,
      org_id: orgId,
      requested_by: orgId === null ? null : caller.userId,
      org_ids: orgId === null ? caller.open : null,
      requested_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** With the organizations that the session may enter. */
type Caller = { readonly userId: UserId; readonly open: OrgId[] };

export const storeJob = (tx: Tx, id: number, jobId: number) =>
  tx.updateTable('data_exports').set({ job_id: jobId }).where('id', '=', id).execute();

export const deleteExport = (tx: Tx, { userId, orgId }: Subject) =>
  tx
    .deleteFrom('data_exports')
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .$if(orgId !== null, (query) => query.where('org_id', '=', orgId))
    .returning(files)
    .executeTakeFirst();

type Made = Updateable<Tables['data_exports']>;
/** Finishes a requested archive; false if the request is gone or was finished before. */
export const finishExport = async (tx: Tx, id: number, made: Made) =>
  (await tx
    .updateTable('data_exports')
    .set(made)
    .where('id', '=', id)
    .where('made_at', 'is', null)
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const findUnmade = (database: Db, id: number) =>
  database
    .selectFrom('data_exports')
    .select(['user_id as userId', 'org_id as orgId', 'requested_by as requestedBy'])
    .select(sql<OrgId[]>`to_json(coalesce(org_ids, '{}'))`.as('orgIds'))
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
    .returning(files)
    .execute();
