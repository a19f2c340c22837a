import { ICON_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { product } from '#contract/product.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { DAY_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { columnsOf, membershipFacts } from '#server/access/data.ts';
import type { Deps } from '#server/deps.ts';
import { sha256 } from '#server/keys.ts';
import { holdOn } from '#server/members/data-company.ts';
import { iconName, iconUrl } from './rules.ts';
import { wakeAfterCommit } from '#server/waking.ts';
import type { NewRow } from '#server/db/tables.ts';

/** Joins the icons in use. An uploaded icon has no `shown_at` until an admin sets it. */
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

/** An organization without an application name of its own shows the portal's. */
const OF_PORTAL = '';

type Stored = Awaited<ReturnType<ReturnType<typeof organizationsWithIcons>['execute']>>[number];
const withIcons = <T extends Stored>({ darkFile, lightFile, ...row }: T) =>
  Object.assign(row, {
    applicationName: row.applicationName || product.name,
    darkIcon: iconUrl(row.id, ICON_TYPE.dark, darkFile),
    lightIcon: iconUrl(row.id, ICON_TYPE.light, lightFile),
  });

type OrganizationsKey = { readonly userId: UserId; readonly only?: OrgId | undefined };
const organizationsOf = prepared((sql, { userId, only }: OrganizationsKey, which: 'all' | 'one') =>
  organizationsWithIcons(sql)
    .innerJoin('memberships', 'memberships.org_id', 'organizations.id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select(columnsOf(membershipFacts))
    .select(['organizations.name', 'organizations.type'])
    .select([
      'organizations.employee_count as employeeCount',
      'organizations.description',
      'organizations.website',
    ])
    .select('organizations.language')
    .select(['memberships.is_default as isDefault', 'roles.name as role'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.status', '=', MEMBER_STATUS.active)
    .$if(which === 'one', (query) => query.where('organizations.id', '=', only as OrgId))
    .orderBy('memberships.is_default', 'desc')
    .orderBy('memberships.id'),
);
export async function listOrganizations(sql: Db, userId: UserId, only?: OrgId) {
  const rows = await organizationsOf(sql, { userId, only }, only === undefined ? 'all' : 'one');
  return rows.map(withIcons);
}

export const listClosedOrganizations = (sql: Db, userId: UserId) =>
  sql
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .select(['organizations.id', 'organizations.name', 'memberships.status'])
    .select((eb) =>
      eb
        .exists(holdOn(sql, eb.ref('memberships.id')).where('is_active', '=', false))
        .$castTo<boolean>()
        .as('isByDirectory'),
    )
    .where('memberships.user_id', '=', userId)
    .where('memberships.status', 'in', [MEMBER_STATUS.inactive, MEMBER_STATUS.disabled])
    .orderBy('memberships.id')
    .execute();

/** An erased organization's URL name stays taken this long, because applications may still use it. */
const NAME_KEPT_MS = 365 * DAY_MS;

export async function deleteOrganization(tx: Tx, orgId: OrgId, now: Date) {
  const row = await tx
    .deleteFrom('organizations')
    .where('id', '=', orgId)
    .returning('url_name')
    .executeTakeFirst();
  if (!row) return;
  wakeAfterCommit(tx);
  const kept_until = new Date(now.getTime() + NAME_KEPT_MS);
  await tx
    .insertInto('kept_url_names')
    .values({ name_hash: sha256(row.url_name), kept_until })
    .onConflict((conflict) => conflict.column('name_hash').doUpdateSet({ kept_until }))
    .execute();
}

export const sweepUrlNames = ({ sql, clock }: Deps) =>
  sql.deleteFrom('kept_url_names').where('kept_until', '<=', clock.now()).execute();

export const listByUrlNames = (sql: Db, urlNames: readonly string[]) =>
  sql
    .selectFrom('organizations')
    .select(['id', 'name', 'url_name as urlName'])
    .where('url_name', 'in', [...urlNames])
    .execute();

/** Gives the organization another URL name, unless that one is taken or kept; returns whether it did. */
export async function renameUrl(tx: Tx, orgId: OrgId, urlName: string, now: Date): Promise<boolean> {
  const isTaken = (await listByUrlNames(tx, [urlName])).length > 0;
  if (isTaken || (await isKept(tx, urlName, now))) return false;
  await tx.updateTable('organizations').set({ url_name: urlName }).where('id', '=', orgId).execute();
  return true;
}

export const getApplication = async (sql: Db, orgId: OrgId) => {
  const row = await organizationsWithIcons(sql)
    .select('dark.media_type as darkType')
    .where('organizations.id', '=', orgId)
    .executeTakeFirstOrThrow();
  const { darkType, ...application } = row;
  return { ...withIcons(application), iconName: iconName(darkType) };
};

export async function getInformation(sql: Db, orgId: OrgId) {
  const row = await sql
    .selectFrom('organizations')
    .select(['name', 'description', 'website', 'employee_count', 'application_name', 'language'])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  return { ...row, application_name: row.application_name || product.name };
}
type Information = Awaited<ReturnType<typeof getInformation>>;

export function updateInformation(tx: Tx, orgId: OrgId, information: Information) {
  const { application_name: withIcons } = information;
  const row = { ...information, application_name: withIcons === product.name ? OF_PORTAL : withIcons };
  return tx.updateTable('organizations').set(row).where('id', '=', orgId).execute();
}

/** Organizations the person created. Lock the person first, so that parallel creations see each other. */
export const listCreated = (tx: Tx, userId: UserId) =>
  tx
    .selectFrom('organizations')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.org_id', '=', 'organizations.id')
        .onRef('memberships.user_id', '=', 'organizations.created_by')
        .on('memberships.status', '=', MEMBER_STATUS.active),
    )
    .select(['organizations.id', 'organizations.url_name as urlName', 'organizations.name'])
    .select(['organizations.employee_count as employeeCount', 'organizations.created_at as createdAt'])
    .select('memberships.id as memberId')
    .where('organizations.created_by', '=', userId)
    .execute();

export type NewOrganization = Omit<NewRow<'organizations'>, 'url_name' | 'application_name'>;
/** Returns undefined if the URL name is taken, or kept for an erased organization: try the next name. */
export async function insertOrganization(tx: Tx, urlName: string, organization: NewOrganization) {
  const row = await tx
    .insertInto('organizations')
    .values({ ...organization, url_name: urlName, application_name: OF_PORTAL })
    .onConflict((conflict) => conflict.constraint('organizations_url_name_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  // Checked after the insert, because the insert may have waited for an erasure that keeps this name.
  if (!row || !(await isKept(tx, urlName, organization.created_at))) return row;
  await tx.deleteFrom('organizations').where('id', '=', row.id).execute();
  return undefined;
}

const isKept = async (tx: Tx, urlName: string, now: Date): Promise<boolean> =>
  (await tx
    .selectFrom('kept_url_names')
    .select('kept_until')
    .where('name_hash', '=', sha256(urlName))
    .where('kept_until', '>', now)
    .executeTakeFirst()) !== undefined;
