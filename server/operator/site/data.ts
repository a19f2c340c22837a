import { sql } from 'kysely';
import { ACTIVITY_TYPE, OPERATOR_ID } from '#contract/activity/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';

/** Deletes also codes, links and waiting jobs; returns the session count. Applications are still told. */
export async function endAllAccess(tx: Tx, now: Date): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('sessions').executeTakeFirstOrThrow();
  const open = [
    'challenges',
    'redirect_codes',
    'social_visits',
    'provider_records',
    'remembered_browsers',
    'data_exports',
  ] as const;
  for (const table of open) await tx.deleteFrom(table).execute();
  await tx.updateTable('one_time_tokens').set({ used_at: now }).where('used_at', 'is', null).execute();
  await tx
    .deleteFrom('jobs')
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('kind', 'not in', ['sign-out', 'webhook'])
    .execute();
  return Number(numDeletedRows);
}

export type OperatorRow = {
  readonly id: number;
  readonly created_at: Date;
  readonly activity_type: number;
  readonly action: number;
  readonly record_id: number | null;
  readonly information: Readonly<Record<string, unknown>>;
  /** The organization in whose log the act is, or whose application it concerns. */
  readonly organization: string | null;
  readonly orgId: OrgId | null;
};
type ActsBetween = {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly before?: Pick<OperatorRow, 'id' | 'created_at'> | undefined;
};
/** Newest first; from each log's own index range, because no index finds them across organizations. */
export async function listActs(
  database: Db,
  { since, until, before }: ActsBetween,
  limit: number,
): Promise<OperatorRow[]> {
  const newest = sql`user_id = ${OPERATOR_ID}
    and created_at >= ${since ?? '-infinity'}::timestamptz and created_at < ${until ?? 'infinity'}::timestamptz
    and (created_at, id) < (${before?.created_at ?? 'infinity'}::timestamptz, ${before?.id ?? 0})
    order by created_at desc, id desc limit ${limit}`;
  const { rows } = await sql<OperatorRow>`
    with acts as (
      (select id from activity where org_id is null and ${newest})
      union all
      (select act.id from organizations cross join lateral
        (select id from activity where org_id = organizations.id and ${newest}) as act))
    select activity.id, activity.created_at, activity_type, action, record_id, information,
      organizations.name as organization, organizations.id as "orgId"
    from acts join activity using (id)
      left join applications on activity_type = ${ACTIVITY_TYPE.suiteApplication} and applications.id = record_id
      left join organizations on organizations.id = coalesce(activity.org_id, applications.org_id)
    order by activity.created_at desc, activity.id desc limit ${limit}`.execute(database);
  return rows;
}
