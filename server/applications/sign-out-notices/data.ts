import { sql } from 'kysely';
import type { ApplicationId } from '#contract/applications/registration.ts';
import type { Db } from '#server/db/connect.ts';

/** The organizations and makers of those applications that still exist. */
export const listMakers = (database: Db, ids: readonly ApplicationId[]) =>
  database
    .selectFrom('applications')
    .select(['id', 'org_id as orgId', 'created_by as createdBy'])
    .where('id', '=', sql<ApplicationId>`any (${[...ids]}::bigint[])`)
    .execute();
