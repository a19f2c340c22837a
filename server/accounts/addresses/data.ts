import { type ExpressionBuilder, sql as raw } from 'kysely';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, OrgId, UserId } from '#contract/wire.ts';
import { claim } from '#server/db/constraints.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Tables } from '#server/db/tables.ts';

export const findPending = (sql: Db, userId: UserId) =>
  sql
    .selectFrom('pending_emails')
    .select(['email', 'mailed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();

export const storePending = (tx: Tx, userId: UserId, email: string, now: Date) => {
  const row = { user_id: userId, email, created_at: now, mailed_at: now };
  return tx
    .insertInto('pending_emails')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
};

/** Marks the link as mailed again. Returns false if it was mailed after `lastBefore`. */
export async function touchPending(tx: Tx, userId: UserId, now: Date, lastBefore: Date): Promise<boolean> {
  const row = await tx
    .updateTable('pending_emails')
    .set({ mailed_at: now })
    .where('user_id', '=', userId)
    .where('mailed_at', '<=', lastBefore)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

export const deletePending = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('pending_emails').where('user_id', '=', userId).returning('email').executeTakeFirst();

export const deleteRivals = (tx: Tx, email: string, winner: UserId, most: number) =>
  tx
    .deleteFrom('pending_emails')
    .where('user_id', 'in', (rows) =>
      rows
        .selectFrom('pending_emails')
        .select('user_id')
        .where('email', '=', email)
        .where('user_id', '<>', winner)
        .orderBy('user_id')
        .limit(most),
    )
    .where('email', '=', email)
    .returning('user_id as userId')
    .execute();

/** Gives the person an address whose mailbox they proved at `provenAt`. Of two concurrent claims one gets it. */
export const moveToAddress = (tx: Tx, userId: UserId, email: string, provenAt: Date) =>
  claim(
    'users_email_key',
    tx.updateTable('users').set({ email, confirmed_at: provenAt }).where('id', '=', userId).execute(),
  );

export const findHolder = (sql: Db, email: string) =>
  sql.selectFrom('users').select(['id', 'confirmed_at']).where('email', '=', email).executeTakeFirst();

/** Rows of the log by which an account left an address that it had proven. In clear, so that the index serves. */
const leaves = (email: string) => raw<boolean>`org_id is null and information->'email'->>0 = ${email}
  and activity_type = ${raw.lit(ACTIVITY_TYPE.contactInformation)} and action = ${raw.lit(ACTION.change)}`;
export const formerHolders = (email: string) =>
  raw<UserId>`select user_id from activity where ${leaves(email)}`;

export const findFormerHolder = (sql: Db, email: string) =>
  sql
    .selectFrom('activity')
    .select(['user_id as id', 'created_at as leftAt'])
    .where(leaves(email))
    .orderBy('activity.id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Takes an unproven address from an account. Returns false if it was proven or replaced meanwhile. */
export async function takeUnproven(tx: Tx, userId: UserId, email: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email: null })
    .where('id', '=', userId)
    .where('email', '=', email)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The open invitations of a person at an address, in the order in which organizations are locked. */
export const listInvitedAt = (sql: Db, userId: UserId, email: string) =>
  sql
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['memberships.id', 'memberships.org_id as orgId', 'roles.name as role'])
    .select(['memberships.first_name as firstName', 'memberships.last_name as lastName'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.status', '=', MEMBER_STATUS.invited)
    .where('memberships.email_key', '=', email)
    .orderBy('memberships.org_id')
    .execute();
export type InvitedAt = Awaited<ReturnType<typeof listInvitedAt>>[number];

export const lockOrganizations = (tx: Tx, orgIds: readonly OrgId[]) =>
  tx
    .selectFrom('organizations')
    .select('id')
    .where('id', 'in', orgIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

export const findMembership = (tx: Tx, orgId: OrgId, userId: UserId) =>
  tx
    .selectFrom('memberships')
    .select(['id', 'status'])
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

export async function moveInvitation(tx: Tx, memberId: MemberId, userId: UserId) {
  await tx.updateTable('memberships').set({ user_id: userId }).where('id', '=', memberId).execute();
  for (const table of ['one_time_tokens', 'notifications'] as const)
    await tx.updateTable(table).set({ user_id: userId }).where('member_id', '=', memberId).execute();
}

/** A person without proof, password, provider, membership or pending deletion, left by an ended invitation. */
const isUnused = (user: ExpressionBuilder<Tables, 'users'>) =>
  user.and([
    user('users.confirmed_at', 'is', null),
    ...(['passwords', 'social_identities', 'memberships', 'account_deletions'] as const).map((table) =>
      user.not(user.exists(user.selectFrom(table).select('user_id').whereRef('user_id', '=', 'users.id'))),
    ),
  ]);

export const isLeftOver = async (sql: Db, userId: UserId): Promise<boolean> =>
  (await sql.selectFrom('users').select('id').where('id', '=', userId).where(isUnused).executeTakeFirst()) !==
  undefined;

export const findTaken = (sql: Db, email: string) =>
  sql
    .selectFrom('users')
    .select('id')
    .select((user) => isUnused(user).as('isLeftOver'))
    .where('email', '=', email)
    .executeTakeFirst();

/** Deletes an unused person. Checks again under the lock, because an invitation or sign-up may have come. */
export async function deleteLeftOver(tx: Tx, userId: UserId): Promise<boolean> {
  const result = await tx.deleteFrom('users').where('id', '=', userId).where(isUnused).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Frees an address that an invitation left behind, by deleting the unused person and their links. */
export async function freeAddress(tx: Tx, email: string): Promise<void> {
  const leftOver = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where(isUnused)
    .forUpdate()
    .executeTakeFirst();
  if (leftOver) await deleteLeftOver(tx, leftOver.id);
}
