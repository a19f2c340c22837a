import { type NotNull, sql } from 'kysely';
import { ACTIVITY_TYPE, OPERATOR_ID } from '#contract/activity/calls.ts';
import type { NotificationType } from '#contract/communications/calls.ts';
import { RESTRICTION_HOURS } from '#contract/limits.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { holdsAt } from '#server/sessions/entry/data.ts';
import type { Deps } from '#server/deps.ts';

export const defaultRestrictionEnd = ({ clock }: Pick<Deps, 'clock'>) =>
  fromNow(clock, RESTRICTION_HOURS * HOUR_MS);

const PEOPLE_AT_ONCE = 50;

/** Finds people by id, by full address, or by the start of a word of their name. */
export const findPeople = (database: Db, words: string, now: Date) =>
  database
    .selectFrom('users')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .select(['users.id', 'email', 'first_name', 'last_name', 'confirmed_at', 'created_at', 'mfa_enabled'])
    .select('account_deletions.due_at as erased_at')
    .select((person) => [
      person
        .selectFrom('restrictions')
        .whereRef('user_id', '=', 'users.id')
        .where(holdsAt(now))
        .select(({ fn }) => fn.max('ends_at').as('ends_at'))
        .as('restricted_until'),
      person
        .selectFrom('sessions')
        .whereRef('user_id', '=', 'users.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('sessions'),
    ])
    .where((person) =>
      person.or([
        person('users.id', '=', (/^\d{1,15}$/.test(words) ? Number(words) : 0) as UserId),
        person('email', '=', words.toLowerCase()),
        sql<boolean>`strpos(' ' || translate(folded(first_name || ' ' || last_name || ' ' || first_name), '-', ' '),
          ' ' || translate(folded(${words}), '-', ' ')) > 0`,
      ]),
    )
    .orderBy('users.id')
    .limit(PEOPLE_AT_ONCE)
    .execute();
export type FoundPerson = Awaited<ReturnType<typeof findPeople>>[number];

/** A batch of the people who want these mails, with a confirmed address and an open account; ids above `after`. */
export const listSubscribers = (
  database: Db,
  { type, now, after }: { readonly type: NotificationType; readonly now: Date; readonly after: UserId },
  limit: number,
) =>
  database
    .selectFrom('email_preferences')
    .innerJoin('users', 'users.id', 'email_preferences.user_id')
    .select(['users.id', 'email'])
    .$narrowType<{ email: NotNull }>()
    .where('type', '=', type)
    .where('wanted', '=', true)
    .where('email', 'is not', null)
    .where('confirmed_at', 'is not', null)
    .where((row) =>
      row.not(
        row.exists(row.selectFrom('account_deletions').select('due_at').whereRef('user_id', '=', 'users.id')),
      ),
    )
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('restrictions')
            .select('ends_at')
            .whereRef('user_id', '=', 'users.id')
            .where(holdsAt(now)),
        ),
      ),
    )
    .where('email_preferences.user_id', '>', after)
    .orderBy('email_preferences.user_id')
    .limit(limit)
    .execute();

export const listMemberships = (database: Db, userId: UserId) =>
  database
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['organizations.id', 'organizations.name', 'url_name', 'roles.name as role', 'status'])
    .where('user_id', '=', userId)
    .orderBy('organizations.id')
    .execute();

export const findOrganization = (database: Db, words: string) =>
  database
    .selectFrom('organizations')
    .select(['id', 'name', 'url_name'])
    .where((row) =>
      row.or([
        row('url_name', '=', words.toLowerCase()),
        row('id', '=', (/^\d{1,15}$/.test(words) ? Number(words) : 0) as OrgId),
      ]),
    )
    .executeTakeFirst();

export const findSuperAdminRole = (tx: Tx, orgId: OrgId) =>
  tx
    .selectFrom('roles')
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .where('kind', '=', 'super-admin')
    .executeTakeFirstOrThrow();

export const liftRestrictions = (tx: Tx, userId: UserId, now: Date) =>
  tx
    .updateTable('restrictions')
    .set({ lifted_at: now })
    .where('user_id', '=', userId)
    .where(holdsAt(now))
    .execute();

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

export type OperatorAct = {
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
  readonly before?: Pick<OperatorAct, 'id' | 'created_at'> | undefined;
};
/** Newest first; from each log's own index range, because no index finds them across organizations. */
export async function listActs(
  database: Db,
  { since, until, before }: ActsBetween,
  limit: number,
): Promise<OperatorAct[]> {
  const newest = sql`user_id = ${OPERATOR_ID}
    and created_at >= ${since ?? '-infinity'}::timestamptz and created_at < ${until ?? 'infinity'}::timestamptz
    and (created_at, id) < (${before?.created_at ?? 'infinity'}::timestamptz, ${before?.id ?? 0})
    order by created_at desc, id desc limit ${limit}`;
  const { rows } = await sql<OperatorAct>`
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
