import { ADMIN, SUPER_ADMIN } from '#contract/roles.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { RoleKind } from '#server/db/tables.ts';
import { nameKey } from '#server/roles/rules.ts';

const builtIn = [
  { name: SUPER_ADMIN, kind: 'super-admin' },
  { name: ADMIN, kind: 'admin' },
] as const satisfies { name: string; kind: RoleKind }[];

/** The two roles every organization has; returns the Super Admin's id. */
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

/** The organization's roles, built-in ones first, with their makers and how many members hold each; one role when named. */
export async function listRoles(sql: Db, orgId: OrgId, only?: RoleId) {
  const rows = await sql
    .selectFrom('roles')
    .leftJoin('users', 'users.id', 'roles.created_by')
    .select(['roles.id', 'roles.name', 'roles.kind', 'roles.is_admin', 'roles.created_at'])
    .select(['users.first_name', 'users.last_name'])
    .select((query) =>
      query
        .selectFrom('memberships')
        .whereRef('memberships.role_id', '=', 'roles.id')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('members'),
    )
    .where('roles.org_id', '=', orgId)
    .$if(only !== undefined, (query) => query.where('roles.id', '=', only as RoleId))
    .orderBy('roles.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdTime: row.created_at,
    createdBy: `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim(),
    isAdmin: row.is_admin,
    isSystem: row.kind !== 'custom',
    members: row.members ?? 0,
  }));
}
