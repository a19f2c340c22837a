import { MEMBER_STATUS } from '#contract/members.ts';
import type { UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';

const defaultIcons = { darkIcon: '/icon-dark.svg', lightIcon: '/icon-light.svg' };

/** The organizations a person is an active member of, their default first, each with the role they have there. */
export async function listOrganizations(sql: Db, userId: UserId) {
  const rows = await sql
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select([
      'organizations.id',
      'organizations.name',
      'organizations.type',
      'organizations.url_name as urlName',
    ])
    .select([
      'organizations.employee_count as employeeCount',
      'organizations.description',
      'organizations.website',
    ])
    .select(['organizations.application_name as applicationName', 'memberships.is_default as isDefault'])
    .select('roles.name as role')
    .where('memberships.user_id', '=', userId)
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .orderBy('memberships.is_default', 'desc')
    .orderBy('memberships.id')
    .execute();
  return rows.map((row) => Object.assign(row, defaultIcons));
}

/** How many organizations the person has made; the person's row is locked first, so that parallel creations count each other. */
export async function countCreated(tx: Tx, userId: UserId): Promise<number> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
  const { count } = await tx
    .selectFrom('organizations')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('created_by', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export type NewOrganization = {
  readonly name: string;
  readonly employeeCount: number | null;
  readonly applicationName: string;
  readonly createdBy: UserId;
  readonly createdAt: Date;
};

/** Inserts under the first free URL name; undefined when this one was taken, so the next can be tried. */
export const insertOrganization = (tx: Tx, urlName: string, organization: NewOrganization) =>
  tx
    .insertInto('organizations')
    .values({
      name: organization.name,
      url_name: urlName,
      employee_count: organization.employeeCount,
      application_name: organization.applicationName,
      created_by: organization.createdBy,
      created_at: organization.createdAt,
    })
    .onConflict((conflict) => conflict.constraint('organizations_url_name_key').doNothing())
    .returning('id')
    .executeTakeFirst();

export const hasDefaultOrganization = async (tx: Tx, userId: UserId): Promise<boolean> =>
  (await tx
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', userId)
    .where('is_default', '=', true)
    .executeTakeFirst()) !== undefined;
