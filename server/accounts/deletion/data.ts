import type { UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { NewRow } from '#server/db/tables.ts';

/** Deactivates the account. Returns undefined if it is already deactivated. */
export const insertDeletion = (tx: Tx, deletion: NewRow<'account_deletions'>) =>
  tx
    .insertInto('account_deletions')
    .values(deletion)
    .onConflict((conflict) => conflict.doNothing())
    .returning('due_at')
    .executeTakeFirst();

export const getDeletion = (tx: Tx, userId: UserId) =>
  tx.selectFrom('account_deletions').select('due_at').where('user_id', '=', userId).executeTakeFirstOrThrow();

export const listDue = async (sql: Db, now: Date, after: number, most: number): Promise<UserId[]> => {
  const rows = await sql
    .selectFrom('account_deletions')
    .select('user_id')
    .where('due_at', '<=', now)
    .where('user_id', '>', after as UserId)
    .orderBy('user_id')
    .limit(most)
    .execute();
  return rows.map((row) => row.user_id);
};

/** Locks a due deletion. Returns false if there is none, or if another process is erasing the account. */
export async function takeDue(tx: Tx, userId: UserId, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('due_at', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

export const deleteDeletion = (tx: Tx, userId: UserId, now: Date) =>
  tx
    .deleteFrom('account_deletions')
    .where('user_id', '=', userId)
    .where('due_at', '>', now)
    .returning(['requested_at', 'due_at'])
    .executeTakeFirst();

export const listFounded = async (sql: Db, userId: UserId) => {
  const rows = await sql.selectFrom('organizations').select('id').where('created_by', '=', userId).execute();
  return rows.map(({ id }) => id);
};

/** All memberships of a person, of any status, in the order in which organizations are locked. */
export const listMemberships = (sql: Db, userId: UserId) =>
  sql
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['organizations.id as orgId', 'organizations.name', 'organizations.url_name as urlName'])
    .select(['memberships.id', 'roles.kind', 'memberships.status'])
    .where('memberships.user_id', '=', userId)
    .orderBy('organizations.id')
    .execute();
