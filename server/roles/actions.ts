import type { Details } from '#contract/activity/recorded.ts';
import { missingRights, whyNot } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { product } from '#contract/product.ts';
import { ADMIN, type Permission, permissionOf, type roles, SUPER_ADMIN } from '#contract/roles/calls.ts';
import { areaFieldText } from '#words/area-field.ts';
import { fieldText } from '#words/field.ts';
import { serverFieldText } from '#words/server-field.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { looksLike } from '#server/look-alikes.ts';
import { type Admin, adminUnderLock, type OrgCaller } from '#server/members/actions.ts';
import { moveMembers } from '#server/members/data.ts';
import { detailsOfRights, detailsOfRole } from '#server/members/rules.ts';
import { findCaller, findRole, listPowers } from '#server/members/standing/data.ts';
import { deleteRole, findHolders, insertRole, listRoles, renameRole, replaceRights } from './data.ts';
import { tellReplaced } from './jobs.ts';
import { changedRights, rightsAfter } from './rules.ts';

type RoleEditor = NonNullable<Awaited<ReturnType<typeof findCaller>>>;
type Role = NonNullable<Awaited<ReturnType<typeof findRole>>>;

export async function readRoles(
  { sql }: Deps,
  { orgId, userId }: OrgCaller,
  input: Input<typeof roles.read>,
) {
  const caller = await findCaller(sql, orgId, userId);
  if (!caller) return refuse('org_not_found');
  if (input.roleId === undefined) return listGivable(sql, orgId, caller);
  const role = await findRole(sql, orgId, input.roleId);
  if (!role) return refuse('role_not_found');
  return {
    roleId: role.id,
    roleName: role.name,
    ...(input.withRights === '1' && { rolePermission: permissionOf(role.rights) }),
    ...(input.withGrantable === '1' && { grantable: permissionOf(caller.rights) }),
    ...(input.withHolders === '1' && (await findHolders(sql, orgId, role.id))),
  };
}

/** All roles. Each says whether the caller may give it or which rights they lack. */
async function listGivable(sql: Db, orgId: OrgId, caller: RoleEditor) {
  const roles = await listRoles(sql, orgId);
  const powers = await listPowers(sql, orgId);
  return roles.map((role) => {
    const power = powers.get(role.id);
    // The role may be deleted between the two queries.
    if (!power) return { ...role, mayGive: false };
    const mayGive = whyNot(caller, { to: 'grant', power }) === undefined;
    return { ...role, mayGive, ...(!mayGive && { missing: missingRights(caller.rights, power.rights) }) };
  });
}

/** The portal's own roles, and itself: the list of roles says that it has made these. */
const takenNames = () => [SUPER_ADMIN, ADMIN, product.name];

/** Adds a role without rights. It stays an admin role or a plain one for good. */
export const createRole = (deps: Deps, scope: OrgCaller, input: Input<typeof roles.create>) =>
  transaction(deps.sql, async (tx) => {
    const caller = await adminUnderLock(tx, scope);
    if (caller instanceof Refusal) return caller;
    const { roleName: name, isAdmin = false } = input;
    const power = { rank: isAdmin ? 'admin' : 'member', rights: new Set<string>() } as const;
    if (whyNot(caller, { to: 'grant', power })) return refuse('not_allowed');
    if (looksLike(name, takenNames())) return refuse('role_already_exists');
    const role = await insertRole(tx, {
      org_id: scope.orgId,
      name,
      is_admin: isAdmin,
      created_by: scope.userId,
      created_at: deps.clock.now(),
    });
    if (role instanceof Refusal) return role;
    await recordRole(tx, deps, scope, { id: role.id, name }, 'roleInformation.create', {
      name: [null, name],
      is_admin: [null, isAdmin],
    });
    return role;
  });

/** Renames a role or saves its rights. One call cannot do both. */
export function updateRole(deps: Deps, scope: OrgCaller, input: Input<typeof roles.update>) {
  const { roleName, permission } = input;
  if (roleName !== undefined && permission !== undefined)
    return refuse('invalid_input', { fields: { permission: serverFieldText.unknownField } });
  if (permission !== undefined) return saveRights(deps, scope, input.roleId, permission, input.wasPermission);
  if (roleName !== undefined) return changeName(deps, scope, input.roleId, roleName);
  return refuse('invalid_input', { fields: { role_name: fieldText.required } });
}

const changeName = (deps: Deps, scope: OrgCaller, roleId: RoleId, name: string) =>
  changeUnderLock(deps, scope, roleId, async (tx, role) => {
    if (role.name === name) return refuse('no_changes');
    if (looksLike(name, takenNames())) return refuse('role_already_exists');
    const renamed = await renameRole(tx, scope.orgId, roleId, name);
    if (renamed instanceof Refusal) return renamed;
    await recordRole(tx, deps, scope, { id: roleId, name }, 'roleInformation.update', {
      name: [role.name, name],
    });
    const [updated] = await listRoles(tx, scope.orgId, roleId);
    return updated ?? refuse('role_not_found');
  });

const saveRights = (
  deps: Deps,
  scope: OrgCaller,
  roleId: RoleId,
  permission: Permission,
  was: Permission | undefined,
) =>
  changeUnderLock(deps, scope, roleId, async (tx, role, caller) => {
    const before = role.rights === 'all' ? new Set<string>() : role.rights;
    // A page saves the whole table, so an outdated page would silently undo another admin's change.
    if (was && Object.keys(changedRights(before, rightsAfter(before, was))).length > 0)
      return refuse('changed_meanwhile');
    const rights = rightsAfter(before, permission);
    const information = changedRights(before, rights);
    const changed = new Set(Object.keys(information));
    if (changed.size === 0) return refuse('no_changes');
    if (whyNot(caller, { to: 'setRights', changed }))
      return refuse('not_allowed', detailsOfRights(missingRights(caller.rights, changed)));
    await replaceRights(tx, { orgId: scope.orgId, roleId }, before, rights);
    await recordRole(tx, deps, scope, role, 'permission.update', information);
    return { roleId, roleName: role.name, rolePermission: permissionOf(rights) };
  });

/** Moves members and invitations to another role. The last Super Admin needs no check: only custom roles can go. */
export const removeRole = (deps: Deps, scope: OrgCaller, input: Input<typeof roles.remove>) =>
  changeUnderLock(deps, scope, input.roleId, async (tx, role, caller) => {
    if (input.newRoleId === role.id)
      return refuse('invalid_input', { fields: { new_role_id: areaFieldText.otherRole } });
    const replacement = await findRole(tx, scope.orgId, input.newRoleId);
    if (!replacement) return refuse('role_not_found');
    const by = { ...replacement, isSystem: replacement.kind !== 'custom' };
    if (whyNot(caller, { to: 'replaceRole', by, old: role }))
      return refuse('not_allowed', detailsOfRole(caller, replacement));
    const refusal = await whyUnseen(tx, scope.orgId, role, replacement, input.holders);
    if (refusal) return refusal;
    const people = await moveMembers(tx, scope.orgId, role.id, replacement.id);
    await deleteRole(tx, scope.orgId, role.id);
    const information = { name: [role.name, null], moved_to: replacement.name, moved: people.length };
    await recordRole(tx, deps, scope, role, 'roleInformation.delete', information);
    const members = people.filter(({ status }) => status !== MEMBER_STATUS.invited);
    const userIds = members.map(({ userId }) => userId);
    if (userIds.length > 0)
      await tellReplaced(tx, deps, { orgId: scope.orgId, roleId: replacement.id, userIds });
    return { moved: people.length };
  });

/** People whom the caller did not see. Clients without `holders` may move people only to a role without admin rank. */
async function whyUnseen(tx: Tx, orgId: OrgId, role: Role, by: Role, holders: string | undefined) {
  const current = await findHolders(tx, orgId, role.id);
  if (current.members === 0) return undefined;
  if (holders !== undefined) return holders === current.holders ? undefined : refuse('changed_meanwhile');
  if (by.rank === 'member') return undefined;
  return refuse('invalid_input', { fields: { holders: serverFieldText.holders } });
}

/** Runs `change` under the organization's lock, if the role exists and the caller may change it. */
const changeUnderLock = <T>(
  deps: Deps,
  scope: OrgCaller,
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

const recordRole = (
  tx: Tx,
  deps: Deps,
  { orgId, userId }: OrgCaller,
  role: { id: RoleId; name: string },
  act: `roleInformation.${'create' | 'update' | 'delete'}` | 'permission.update',
  information: Details,
) =>
  recordActivity(tx, deps, `organization.${act}`, {
    orgId,
    userId,
    recordId: role.id,
    information: { role: role.name, ...information },
  });
