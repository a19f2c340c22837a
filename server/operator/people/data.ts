import type { NotNull } from 'kysely';
import type { NotificationType } from '#contract/communications/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { holdsAt } from '#server/sessions/entry/data.ts';

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
