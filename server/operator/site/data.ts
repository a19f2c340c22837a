import { sql } from 'kysely';
import { ACTION, ACTIVITY_TYPE, OPERATOR_ID } from '#contract/activity/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { DAY_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';

/** Runs `copy` while nothing else uses the embedded database, whose files are whole then. */
export const afterCheckpoint = (database: Db, copy: () => Promise<unknown>) =>
  database.transaction().execute(async (tx) => {
    await sql`checkpoint`.execute(tx);
    await copy();
  });

/** Deletes also codes, links, waiting jobs and what processes reported; returns the session count. Applications are still told. */
export async function endAllAccess(tx: Tx, now: Date): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('sessions').executeTakeFirstOrThrow();
  const open = [
    'challenges',
    'redirect_codes',
    'social_visits',
    'company_visits',
    'company_links',
    'provider_records',
    'remembered_browsers',
    'data_exports',
    'processes',
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

type Standing = { readonly count: number; readonly since: Date; readonly reason: string | null };

/** Jobs that are due or failing, by kind; notices of sign-outs also by application. */
export async function listWaitingJobs(database: Db, now: Date) {
  const { rows } = await sql<Standing & { kind: string; application: string | null }>`
    select jobs.kind, applications.name as application, count(*)::int as count,
      min(coalesce(failing_since, run_at)) as since,
      (array_agg(last_error order by failing_since) filter (where failing_since is not null))[1] as reason
    from jobs left join applications
      on jobs.kind = 'sign-out' and lane = 'sign-out ' || applications.id
    where done_at is null and failed_at is null and (failing_since is not null or run_at <= ${now})
    group by jobs.kind, applications.name order by 1, 2`.execute(database);
  return rows;
}

/** Jobs given up within a day that can be tried again, by kind, with the number of those done, as far as it matters. */
export async function listGivenUp(database: Db, now: Date) {
  const aDayAgo = new Date(now.getTime() - DAY_MS);
  const { rows } = await sql<Standing & { kind: string; done: number }>`
    select kind, count, since, reason, (
      select count(*)::int from (
        select from jobs where done_at > ${aDayAgo} and jobs.kind = failed.kind limit 20 * failed.count) as counted
    ) as done
    from (
      select kind, count(*)::int as count, min(failed_at) as since,
        (array_agg(last_error order by failed_at desc))[1] as reason
      from jobs where failed_at > ${aDayAgo} and payload <> '{}' and (expires_at is null or expires_at > ${now})
      group by kind
    ) failed order by kind`.execute(database);
  return rows;
}

/** Webhooks that fail or were switched off: each of the suite, and those of organizations together. */
export async function listTroubledWebhooks(database: Db) {
  const { rows } = await sql<Standing & { url: string | null; isOff: boolean }>`
    select case when org_id is null then url end as url, switched_off_at is not null as "isOff",
      count(*)::int as count, min(coalesce(switched_off_at, failing_since)) as since,
      max(case when org_id is null then (
        select error from webhook_deliveries where webhook_id = webhooks.id and error is not null
        order by id desc limit 1) end) as reason
    from webhooks
    where paused_at is null and (switched_off_at is not null or failing_since is not null)
    group by 1, 2 order by 1, 2`.execute(database);
  return rows;
}

/** When the last backup was recorded, or else the first row of the log. */
export async function findBackup(database: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select coalesce(
      (select created_at from activity
        where org_id is null and user_id = ${OPERATOR_ID} and activity_type = ${ACTIVITY_TYPE.auditLog}
          and action = ${ACTION.read}
        order by created_at desc, id desc limit 1),
      (select created_at from activity order by id limit 1)) as at`.execute(database);
  return rows[0]?.at ?? null;
}

/** When PostgreSQL last archived its log, which restores a point in time. */
export async function findArchived(database: Db): Promise<Date | null> {
  const { rows } = await sql<{
    at: Date | null;
  }>`select last_archived_time as at from pg_stat_archiver`.execute(database);
  return rows[0]?.at ?? null;
}

export async function databaseTime(database: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  if (!rows[0]) throw new Error('the database returned no time');
  return rows[0].now;
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
  // The portal itself writes rows without an operator, such as a webhook that it switches off.
  const newest = sql`user_id = ${OPERATOR_ID} and (org_id is null or information->'operator' is not null)
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
