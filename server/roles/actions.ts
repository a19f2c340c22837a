import { type Act, ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { whyNot } from '#contract/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { MEMBER_STATUS } from '#contract/members.ts';
import { permissionOf, type roles } from '#contract/roles.ts';
import { areaFieldText } from '#contract/text/area-fields.ts';
import { fieldText } from '#contract/text/fields.ts';
import { serverFieldText } from '#contract/text/server-fields.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { type Admin, adminUnderLock } from '#server/members/actions.ts';
import { moveMembers } from '#server/members/data.ts';
import { findRole } from '#server/members/standing/data.ts';
import { deleteRole, insertRole, listRoles, renameRole, replaceRights } from '#server/roles/data.ts';
import { tellReplaced } from '#server/roles/jobs.ts';
import { changedRights, rightsIn } from '#server/roles/rules.ts';

type Scope = { readonly orgId: OrgId; readonly userId: UserId };
type Role = NonNullable<Awaited<ReturnType<typeof findRole>>>;

/** The roles of the organization, or one of them with what it may do where that is asked for. */
export async function readRoles({ sql }: Deps, { orgId }: Scope, input: Input<typeof roles.read>) {
  if (input.roleId === undefined) return listRoles(sql, orgId);
  const role = await findRole(sql, orgId, input.roleId);
  if (!role) return refuse('role_not_found');
  return {
    roleId: role.id,
    roleName: role.name,
    ...(input.withRights === '1' && { rolePermission: permissionOf(role.rights) }),
  };
}

/** A new role may nothing yet; whether it is an admin's is decided here and for good. */
export const createRole = (deps: Deps, scope: Scope, input: Input<typeof roles.create>) =>
  transaction(deps.sql, async (tx) => {
    const caller = await adminUnderLock(tx, scope);
    if (caller instanceof Refusal) return caller;
    const { roleName: name, isAdmin = false } = input;
    const power = { rank: isAdmin ? 'admin' : 'member', rights: new Set<string>() } as const;
    if (whyNot(caller, { to: 'grant', power })) return refuse('not_allowed');
    const role = await insertRole(tx, {
      orgId: scope.orgId,
      name,
      isAdmin,
      createdBy: scope.userId,
      createdAt: deps.clock.now(),
    });
    if (role instanceof Refusal) return role;
    await record(tx, deps, scope, { id: role.id, name }, acts.created, {
      name: [null, name],
      is_admin: [null, isAdmin],
    });
    return role;
  });

/** Renames a role or saves its rights: the two faces of one call, never both at once. */
export function updateRole(deps: Deps, scope: Scope, input: Input<typeof roles.update>) {
  const { roleName, permission } = input;
  if (roleName !== undefined && permission !== undefined)
    return refuse('invalid_input', { fields: { permission: serverFieldText.unknownField } });
  if (permission !== undefined) return saveRights(deps, scope, input.roleId, rightsIn(permission));
  if (roleName !== undefined) return changeName(deps, scope, input.roleId, roleName);
  return refuse('invalid_input', { fields: { role_name: fieldText.required } });
}

const changeName = (deps: Deps, scope: Scope, roleId: RoleId, name: string) =>
  changing(deps, scope, roleId, async (tx, role) => {
    if (role.name === name) return refuse('no_changes');
    const renamed = await renameRole(tx, scope.orgId, roleId, name);
    if (renamed instanceof Refusal) return renamed;
    await record(tx, deps, scope, { id: roleId, name }, acts.renamed, { name: [role.name, name] });
    const [after] = await listRoles(tx, scope.orgId, roleId);
    return after ?? refuse('role_not_found');
  });

const saveRights = (deps: Deps, scope: Scope, roleId: RoleId, rights: ReadonlySet<string>) =>
  changing(deps, scope, roleId, async (tx, role, caller) => {
    const before = role.rights === 'all' ? new Set<string>() : role.rights;
    const changed = changedRights(before, rights);
    if (Object.keys(changed).length === 0) return refuse('no_changes');
    if (whyNot(caller, { to: 'grant', power: { rank: role.rank, rights } })) return refuse('not_allowed');
    await replaceRights(tx, { orgId: scope.orgId, roleId }, before, rights);
    await record(tx, deps, scope, role, acts.rightsSaved, changed);
    return { roleId, roleName: role.name, rolePermission: permissionOf(rights) };
  });

/**
 * Deletes a role; members and pending invitations take another one in the same transaction. Only custom roles go, and
 * none of them is Super Admin, so the last Super Admin is safe here without asking.
 */
export const removeRole = (deps: Deps, scope: Scope, input: Input<typeof roles.remove>) =>
  changing(deps, scope, input.roleId, async (tx, role, caller) => {
    if (input.newRoleId === role.id)
      return refuse('invalid_input', { fields: { new_role_id: areaFieldText.otherRole } });
    const by = await findRole(tx, scope.orgId, input.newRoleId);
    if (!by) return refuse('role_not_found');
    const replacement = { ...by, isSystem: by.kind !== 'custom' };
    if (whyNot(caller, { to: 'replaceRole', by: replacement, old: role })) return refuse('not_allowed');
    const moved = await moveMembers(tx, scope.orgId, role.id, by.id);
    await deleteRole(tx, scope.orgId, role.id);
    const information = { name: [role.name, null], moved_to: by.name, moved: moved.length };
    await record(tx, deps, scope, role, acts.deleted, information);
    const members = moved.filter(({ status }) => status !== MEMBER_STATUS.invited);
    if (members.length > 0)
      await tellReplaced(tx, deps, {
        orgId: scope.orgId,
        roleId: by.id,
        userIds: members.map(({ userId }) => userId),
      });
    return { moved: moved.length };
  });

/** Changes a role under the organization's lock, when it is there and the caller may. */
const changing = <T>(
  deps: Deps,
  scope: Scope,
  roleId: RoleId,
  change: (tx: Tx, role: Role, caller: Admin) => Promise<T>,
) =>
  transaction(deps.sql, async (tx) => {
    const caller = await adminUnderLock(tx, scope);
    if (caller instanceof Refusal) return caller;
    const role = await findRole(tx, scope.orgId, roleId);
    if (!role) return refuse('role_not_found');
    const facts = { isSystem: role.kind !== 'custom', isOwn: caller.roleId === roleId };
    if (whyNot(caller, { to: 'changeRole', role: facts })) return refuse('not_allowed');
    return change(tx, role, caller);
  });

const acts = {
  created: { type: ACTIVITY_TYPE.roleInformation, action: ACTION.create },
  renamed: { type: ACTIVITY_TYPE.roleInformation, action: ACTION.update },
  deleted: { type: ACTIVITY_TYPE.roleInformation, action: ACTION.delete },
  rightsSaved: { type: ACTIVITY_TYPE.permission, action: ACTION.update },
} satisfies Record<string, Act>;

const record = (
  tx: Tx,
  deps: Deps,
  { orgId, userId }: Scope,
  role: { id: RoleId; name: string },
  act: Act,
  information: Record<string, unknown>,
) =>
  recordActivity(tx, deps, {
    orgId,
    userId,
    module: MODULE.organization,
    ...act,
    recordId: role.id,
    information: { role: role.name, ...information },
  });
