import { sql } from 'kysely';
import { personName } from '#contract/profile/person-name.ts';
import { ADMIN, SUPER_ADMIN } from '#contract/roles/calls.ts';
import { activityValuesText } from '#words/activity-values.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { claim } from '#server/db/constraints.ts';
import type { RoleKind, NewRow } from '#server/db/tables.ts';
import { nameKey, rowsOf } from './rules.ts';

const builtIn = [
  { name: SUPER_ADMIN, kind: 'super-admin' },
  { name: ADMIN, kind: 'admin' },
] as const satisfies { name: string; kind: RoleKind }[];

/** Inserts the two roles that every organization has. Returns the id of Super Admin. */
export async function insertBuiltInRoles(
  tx: Tx,
  orgId: OrgId,
  createdBy: UserId,
  now: Date,
): Promise<RoleId> {
  const rows = await tx
    .insertInto('roles')
    .values(
      builtIn.map(({ name, kind }) => ({
        org_id: orgId,
        name,
        name_key: nameKey(name),
        kind,
        is_admin: true,
        created_by: createdBy,
        created_at: now,
      })),
    )
    .returning(['id', 'kind'])
    .execute();
  const superAdmin = rows.find((row) => row.kind === 'super-admin');
  if (!superAdmin) throw new Error('the Super Admin role was not created');
  return superAdmin.id;
}

type RolesKey = { readonly orgId: OrgId; readonly only?: RoleId | undefined };
const rolesOf = prepared((sql, { orgId, only }: RolesKey, which: 'all' | 'one') =>
  sql
    .selectFrom('roles')
    // At most one row matches. Without the limit, the generic plan reads all members.
    .leftJoinLateral(
      (role) =>
        role
          .selectFrom('memberships')
          .select(['first_name', 'last_name', 'email_key'])
          .whereRef('memberships.org_id', '=', 'roles.org_id')
          .whereRef('memberships.user_id', '=', 'roles.created_by')
          .limit(1)
          .as('maker'),
      (join) => join.onTrue(),
    )
    .select(['roles.id', 'roles.name', 'roles.kind', 'roles.is_admin', 'roles.created_at'])
    .select(['roles.created_by', 'maker.first_name', 'maker.last_name', 'maker.email_key'])
    .select((query) =>
      query
        .selectFrom('member_counts')
        .whereRef('member_counts.role_id', '=', 'roles.id')
        .select((inner) => inner.fn.sum<number>('members').as('count'))
        .as('members'),
    )
    .where('roles.org_id', '=', orgId)
    .$if(which === 'one', (query) => query.where('roles.id', '=', only as RoleId))
    .orderBy('roles.id'),
);
export async function listRoles(sql: Db, orgId: OrgId, only?: RoleId) {
  const rows = await rolesOf(sql, { orgId, only }, only === undefined ? 'all' : 'one');
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdTime: row.created_at,
    createdBy: makerOf(row),
    isAdmin: row.is_admin,
    isSystem: row.kind !== 'custom',
    members: row.members ?? 0,
  }));
}

type Maker = Pick<
  Awaited<ReturnType<typeof rolesOf>>[number],
  'created_by' | 'first_name' | 'last_name' | 'email_key'
>;
/** The maker's name in this organization, or a substitute if they left or were deleted. */
const makerOf = ({ created_by: id, first_name: first, last_name: last, email_key: email }: Maker) => {
  if (id === null) return activityValuesText.deletedUser;
  return personName(first ?? '', last ?? '', email) || activityValuesText.formerMember;
};

export const insertRole = (tx: Tx, role: Omit<NewRow<'roles'>, 'name_key' | 'kind'>) =>
  claim(
    'roles_name_key',
    tx
      .insertInto('roles')
      .values({ ...role, name_key: nameKey(role.name), kind: 'custom' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );

export const renameRole = (tx: Tx, orgId: OrgId, roleId: RoleId, name: string) =>
  claim(
    'roles_name_key',
    tx
      .updateTable('roles')
      .set({ name, name_key: nameKey(name) })
      .where('org_id', '=', orgId)
      .where('id', '=', roleId)
      .execute(),
  );

/** Writes only the difference. The caller holds the organization's lock, so `before` is current. */
export async function replaceRights(
  tx: Tx,
  { orgId, roleId }: { readonly orgId: OrgId; readonly roleId: RoleId },
  before: ReadonlySet<string>,
  rights: ReadonlySet<string>,
) {
  const oldRows = rowsOf([...before].filter((right) => !rights.has(right)));
  const newRows = rowsOf([...rights].filter((right) => !before.has(right)));
  const deletion = tx
    .deleteFrom('role_rights')
    .where('role_id', '=', roleId)
    .where((row) =>
      row(
        row.refTuple('service', 'module', 'action'),
        'in',
        oldRows.map(({ service, module, action }) => row.tuple(service, module, action)),
      ),
    );
  if (newRows.length === 0) await deletion.execute();
  else
    await (oldRows.length > 0 ? tx.with('deletion', () => deletion) : tx)
      .insertInto('role_rights')
      .values(newRows.map((row) => ({ ...row, org_id: orgId, role_id: roleId })))
      .execute();
}

export const deleteRole = (tx: Tx, orgId: OrgId, roleId: RoleId) =>
  tx.deleteFrom('roles').where('org_id', '=', orgId).where('id', '=', roleId).execute();

const holdersOf = prepared(
  (database, { orgId, roleId }: { readonly orgId: OrgId; readonly roleId: RoleId }) =>
    database
      .selectFrom('memberships')
      .select((row) => [
        row.fn.countAll<number>().as('members'),
        sql<string>`encode(sha256(coalesce(string_agg(id::text, ',' order by id), '')::bytea), 'hex')`.as(
          'holders',
        ),
      ])
      .where('org_id', '=', orgId)
      .where('role_id', '=', roleId),
);
/** The number of people who hold a role or are invited with it, and a hash that changes with these people. */
export async function findHolders(database: Db, orgId: OrgId, roleId: RoleId) {
  const [holders] = await holdersOf(database, { orgId, roleId });
  if (!holders) throw new Error('the count of holders returned no row');
  return holders;
}
