import * as z from 'zod/mini';
import { roleName } from '#contract/split-by-bytes/area-fields.ts';
import { idInQuery, orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { type Right, type Rights, rights, services } from './permissions.ts';
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
  /** Whether the caller may give the role, and the rights they lack for it. Only the list has both fields. */
  mayGive: z.optional(flag),
  missing: z.optional(z.array(z.string())),
});
export type Role = z.output<typeof role>;

const each = <K extends string, T extends z.core.$ZodType>(keys: readonly K[], type: T) =>
  Object.fromEntries(keys.map((key) => [key, type])) as Record<K, T>;
type ModuleOfSign = `${keyof (typeof services)['sign']['modules']}`;
type ModuleRights = z.ZodMiniObject<Record<Right, typeof flag>, z.core.$strict>;
const modulesOfSign = each(
  Object.keys(services.sign.modules) as ModuleOfSign[],
  z.optional(z.strictObject(each(rights, flag))) as unknown as z.ZodMiniExactOptional<ModuleRights>,
);
/** Rights by service and module. A module that is left out keeps its rights: an older page does not know it. */
export const permission = z.strictObject({ sign: z.strictObject(modulesOfSign) });
/** The same in an answer: a page skips modules of a newer server, and shows fewer from an older one. */
const shownPermission = z.object({ sign: z.object(modulesOfSign) });
export type Permission = z.output<typeof shownPermission>;

/** The full table for a set of rights. Rights of modules that are no longer offered are left out. */
export const permissionOf = (roleRights: Rights): Permission =>
  Object.fromEntries(
    Object.entries(services).map(([service, { modules }]) => [
      service,
      Object.fromEntries(
        Object.keys(modules).map((module) => {
          const has = (right: Right) =>
            roleRights === 'all' || roleRights.has(`${service}.${module}.${right}`);
          return [module, Object.fromEntries(rights.map((right) => [right, has(right)]))];
        }),
      ),
    ]),
  ) as Permission;

/** A hash of everybody who holds the role or is invited with it. It changes when they change. */
const holders = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** One role. Its rights and holders are present only on request. */
const roleWithRights = shape({
  roleId,
  roleName: z.string(),
  rolePermission: z.optional(shownPermission),
  /** The rights that the caller may give or take. */
  grantable: z.optional(shownPermission),
  members: z.optional(z.int()),
  holders: z.optional(holders),
});

export const roles = {
  read: endpoint({
    method: 'GET',
    path: '/api/role',
    access: 'admin',
    input: input({
      orgId: orgIdInQuery,
      roleId: z.optional(idInQuery(roleId)),
      withRights: as('isPermission', z.optional(z.literal(['0', '1']))),
      withGrantable: as('grantable', z.optional(z.literal(['0', '1']))),
      withHolders: as('holders', z.optional(z.literal(['0', '1']))),
    }),
    /** The list of roles, or the role that the input names. */
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
  update: endpoint({
    method: 'PUT',
    path: '/api/role',
    access: 'admin',
    input: input({
      orgId,
      roleId,
      roleName: z.optional(roleName),
      permission: z.optional(permission),
      /** The rights as the caller saw them. The server refuses the change if they differ now. */
      wasPermission: z.optional(permission),
    }),
    output: z.union([role, roleWithRights]),
    failures: ['org_not_found', 'role_not_found', 'role_already_exists', 'no_changes', 'changed_meanwhile'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/role',
    access: 'admin',
    /** `holders` comes from `GET /role`. Without it the server moves nobody to an admin role. */
    input: input({ orgId, roleId, newRoleId: roleId, holders: z.optional(holders) }),
    output: shape({ moved: z.int() }),
    failures: ['org_not_found', 'role_not_found', 'changed_meanwhile'],
  }),
};
