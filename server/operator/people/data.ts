import { sql } from 'kysely';
import type { NotificationType } from '#contract/communications/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { holdsAt } from '#server/accounts/data-restrictions.ts';

type Subscribers = { readonly type: NotificationType; readonly now: Date; readonly after: UserId };
/** A batch of the people who want these mails, with a confirmed address and an open account; ids above `after`. */
export async function listSubscribers(database: Db, { type, now, after }: Subscribers, limit: number) {
  const { rows } = await sql<{ id: UserId; email: string }>`
    select users.id, email from email_preferences join users on users.id = email_preferences.user_id
    where type = ${type} and wanted and email is not null and confirmed_at is not null
      and email_preferences.user_id > ${after}
      and not exists (select from account_deletions where user_id = users.id)
      and not exists (select from restrictions where restrictions.user_id = users.id and ${holdsAt(now)})
    order by email_preferences.user_id limit ${limit}`.execute(database);
  return rows;
}

export const listRoles = (database: Db, userId: UserId) =>
  database
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['organizations.id', 'organizations.name', 'url_name', 'roles.name as role', 'status'])
    .where('user_id', '=', userId)
    .orderBy('organizations.id')
    .execute();

const MAILS_SHOWN = 10;
/** The newest mails to a person that are still known: those that wait, and those of the last days. */
export const listMailsOf = (database: Db, userId: UserId) =>
  database
    .selectFrom('jobs')
    .select(['created_at', 'done_at', 'failed_at', 'last_error', 'letter'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'mail')
    .orderBy('id', 'desc')
    .limit(MAILS_SHOWN)
    .execute();

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
