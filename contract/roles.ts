import * as z from 'zod/mini';
import { roleName } from '#contract/area-fields.ts';
import { idInQuery, orgIdInQuery } from '#contract/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { type Right, type Rights, rights, services } from '#contract/permissions.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, orgId, roleId, shape } from '#contract/wire.ts';

export const SUPER_ADMIN = 'Super Admin';
export const ADMIN = 'Admin';

export const role = shape({
  id: roleId,
  name: z.string(),
  createdTime: time,
  createdBy: z.string(),
  isAdmin: flag,
  isSystem: flag,
  members: z.int(),
});
export type Role = z.output<typeof role>;

const strict = <K extends string, T extends z.core.$ZodType>(keys: readonly K[], type: T) =>
  z.strictObject(Object.fromEntries(keys.map((key) => [key, type])) as Record<K, T>);
type ModuleOfSign = `${keyof (typeof services)['sign']['modules']}`;
/** Which rights a role has, by service and module; each right is 0 or 1 and none may be left out. */
export const permission = z.strictObject({
  sign: strict(Object.keys(services.sign.modules) as ModuleOfSign[], strict(rights, flag)),
});
export type Permission = z.output<typeof permission>;

/** The whole table of what is held; a right of a module that is no longer offered does not show. */
export const permissionOf = (held: Rights): Permission =>
  Object.fromEntries(
    Object.entries(services).map(([service, { modules }]) => [
      service,
      Object.fromEntries(
        Object.keys(modules).map((module) => {
          const has = (right: Right) => held === 'all' || held.has(`${service}.${module}.${right}`);
          return [module, Object.fromEntries(rights.map((right) => [right, has(right)]))];
        }),
      ),
    ]),
  ) as Permission;

/** One role with what it may do; the rights only where they were asked for. */
const roleWithRights = shape({ roleId, roleName: z.string(), rolePermission: z.optional(permission) });

export const roles = {
  read: endpoint({
    method: 'GET',
    path: '/api/role',
    access: 'admin',
    input: input({
      orgId: orgIdInQuery,
      roleId: z.optional(idInQuery(roleId)),
      withRights: as('isPermission', z.optional(z.literal(['0', '1']))),
    }),
    /** The list, or the one role that was named. */
    output: z.union([z.array(role), roleWithRights]),
    failures: ['org_not_found', 'role_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/role',
    access: 'admin',
    input: input({ orgId, roleName, isAdmin: z.optional(flag) }),
    output: shape({ id: as('Id', roleId) }),
    failures: ['org_not_found', 'role_already_exists'],
  }),
  /** Renames a role, or saves what it may do. */
  update: endpoint({
    method: 'PUT',
    path: '/api/role',
    access: 'admin',
    input: input({
      orgId,
      roleId,
      roleName: z.optional(roleName),
      permission: z.optional(permission),
    }),
    output: z.union([role, roleWithRights]),
    failures: ['org_not_found', 'role_not_found', 'role_already_exists', 'no_changes'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/role',
    access: 'admin',
    input: input({ orgId, roleId, newRoleId: roleId }),
    output: shape({ moved: z.int() }),
    failures: ['org_not_found', 'role_not_found'],
  }),
};
