import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { type Permission, roles } from '#contract/roles.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import { forgetUnsaved } from '#web/lib/unsaved.ts';

export type RoleWithRights = { roleId: RoleId; roleName: string; rolePermission: Permission };

/** One role and what it may do. */
export const roleQuery = (orgId: OrgId, roleId: RoleId) =>
  queryOptions({
    queryKey: ['roles', orgId, roleId],
    queryFn: async () => (await call(roles.read, { orgId, roleId, withRights: '1' })) as RoleWithRights,
    // What is being edited must not change under the hand.
    staleTime: Infinity,
    gcTime: 0,
  });

/** Somebody else has deleted the role: what was typed for it is lost, and the page says so once it has looked again. */
export function useGoneRole(orgId: OrgId, roleId: RoleId) {
  const client = useQueryClient();
  return () => {
    forgetUnsaved();
    void client.invalidateQueries(roleQuery(orgId, roleId));
  };
}

/** After a change: roles, and the members that show them, are looked up again. */
export function useRolesChanged(orgId: OrgId) {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['roles', orgId], exact: true }),
      client.invalidateQueries({ queryKey: ['members', orgId] }),
    ]);
}
