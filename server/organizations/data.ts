import { ICON_TYPE } from '#contract/area-limits.ts';
import type { FileId } from '#contract/area-wire.ts';
import { MEMBER_STATUS } from '#contract/members.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { iconName, iconUrl } from '#server/organizations/rules.ts';

/** Organizations, each with the icons it shows. */
const organizationsWithIcons = (sql: Db) =>
  sql
    .selectFrom('organizations')
    .leftJoin('images as dark', (join) =>
      join
        .onRef('dark.org_id', '=', 'organizations.id')
        .on('dark.icon_type', '=', ICON_TYPE.dark)
        .on('dark.shown_at', 'is not', null),
    )
    .leftJoin('images as light', (join) =>
      join
        .onRef('light.org_id', '=', 'organizations.id')
        .on('light.icon_type', '=', ICON_TYPE.light)
        .on('light.shown_at', 'is not', null),
    )
    .select(['organizations.id', 'organizations.application_name as applicationName'])
    .select(['dark.file_id as darkFile', 'light.file_id as lightFile']);

type IconFiles = { readonly id: OrgId; readonly darkFile: FileId | null; readonly lightFile: FileId | null };
const toIcons = <T extends IconFiles>({ darkFile, lightFile, ...row }: T) =>
  Object.assign(row, {
    darkIcon: iconUrl(row.id, ICON_TYPE.dark, darkFile),
    lightIcon: iconUrl(row.id, ICON_TYPE.light, lightFile),
  });

type Theirs = { readonly userId: UserId; readonly only?: OrgId | undefined };
const organizationsOf = prepared((sql, { userId, only }: Theirs, which: 'all' | 'one') =>
  organizationsWithIcons(sql)
    .innerJoin('memberships', 'memberships.org_id', 'organizations.id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['organizations.name', 'organizations.type', 'organizations.url_name as urlName'])
    .select([
      'organizations.employee_count as employeeCount',
      'organizations.description',
      'organizations.website',
    ])
    .select(['memberships.is_default as isDefault', 'roles.name as role'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .$if(which === 'one', (query) => query.where('organizations.id', '=', only as OrgId))
    .orderBy('memberships.is_default', 'desc')
    .orderBy('memberships.id'),
);
/** The organizations a person is an active member of, their default first, each with the role they have there; one of them when named. */
export async function listOrganizations(sql: Db, userId: UserId, only?: OrgId) {
  const rows = await organizationsOf(sql, { userId, only }, only === undefined ? 'all' : 'one');
  return rows.map(toIcons);
}

/** The organizations that hold a membership of the person's paused or disabled. */
export const listClosedOrganizations = (sql: Db, userId: UserId) =>
  sql
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .select(['organizations.id', 'organizations.name', 'memberships.status'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.status', 'in', [MEMBER_STATUS.inactive, MEMBER_STATUS.disabled])
    .orderBy('memberships.id')
    .execute();

/** The organization with all that is in it: roles, memberships, icons. */
export const deleteOrganization = (tx: Tx, orgId: OrgId) =>
  tx.deleteFrom('organizations').where('id', '=', orgId).execute();

/** How the organization's application looks. */
export const getApplication = async (sql: Db, orgId: OrgId) => {
  const row = await organizationsWithIcons(sql)
    .select('dark.media_type as darkType')
    .where('organizations.id', '=', orgId)
    .executeTakeFirstOrThrow();
  const { darkType, ...application } = row;
  return { ...toIcons(application), iconName: iconName(darkType) };
};

/** What admins may change of an organization, as it is. */
export const getInformation = (sql: Db, orgId: OrgId) =>
  sql
    .selectFrom('organizations')
    .select(['name', 'description', 'website', 'employee_count', 'application_name'])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
type Information = Awaited<ReturnType<typeof getInformation>>;

export const updateInformation = (tx: Tx, orgId: OrgId, information: Information) =>
  tx.updateTable('organizations').set(information).where('id', '=', orgId).execute();

/** How many organizations the person has made; they are to be held, so that parallel creations count each other. */
export async function countCreated(tx: Tx, userId: UserId): Promise<number> {
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
