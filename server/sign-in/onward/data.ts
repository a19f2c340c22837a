import { sql } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { Rights } from '#contract/roles/permissions.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';
import type { NewRow } from '#server/db/tables.ts';

export const insertCode = (tx: Tx, row: NewRow<'redirect_codes'>) =>
  tx.insertInto('redirect_codes').values(row).execute();

/** Uses a code for exactly one address in one statement, so of two concurrent tries one wins. */
export const useCode = (tx: Tx, code: string, redirectUrl: string, now: Date) =>
  tx
    .updateTable('redirect_codes')
    .set({ used_at: now })
    .where('code_hash', '=', sha256(code))
    .where('redirect_url', '=', redirectUrl)
    .where('used_at', 'is', null)
    .returning(['user_id', 'org_id', 'session_id', 'expires_at'])
    .executeTakeFirst();

export const deleteCodesOf = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('redirect_codes').where('user_id', '=', userId).execute();

/** The organization a person works in when none is named: the default, or else the oldest membership. */
export const findDefaultOrgId = async (sql: Db, userId: UserId): Promise<OrgId | null> => {
  const row = await sql
    .selectFrom('memberships')
    .select('org_id')
    .where('user_id', '=', userId)
    .where('status', '=', MEMBER_STATUS.active)
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.org_id ?? null;
};

export const findOrgIdAt = async (sql: Db, userId: UserId, urlName: string): Promise<OrgId | undefined> => {
  const row = await sql
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .select('memberships.org_id')
    .where('organizations.url_name', '=', urlName)
    .where('memberships.user_id', '=', userId)
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .executeTakeFirst();
  return row?.org_id;
};

/** The organization and the person's rights in it now. Undefined if they are not an active member. */
export async function findMembership(database: Db, userId: UserId, orgId: OrgId) {
  const row = await database
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select([
      'organizations.id',
      'organizations.name',
      'organizations.url_name as urlName',
      'roles.id as roleId',
      'roles.name as role',
      'roles.kind',
    ])
    .select(
      sql<string[]>`array(select service || '.' || module || '.' || action from role_rights
        where role_rights.role_id = roles.id)`.as('rightNames'),
    )
    .where('memberships.user_id', '=', userId)
    .where('memberships.org_id', '=', orgId)
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .executeTakeFirst();
  if (!row) return undefined;
  const { kind, rightNames, ...membership } = row;
  const rights: Rights = kind === 'custom' ? new Set(rightNames) : 'all';
  return { ...membership, rights };
}
