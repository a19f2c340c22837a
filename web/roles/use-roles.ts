import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { type Permission, roles } from '#contract/roles/calls.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import { forgetUnsaved } from '#web/lib/unsaved.ts';

export type RoleWithRights = {
  roleId: RoleId;
  roleName: string;
  rolePermission: Permission;
  grantable: Permission;
};

export const roleQuery = (orgId: OrgId, roleId: RoleId) =>
  queryOptions({
    queryKey: ['roles', orgId, roleId],
    queryFn: async () =>
      (await call(roles.read, { orgId, roleId, withRights: '1', withGrantable: '1' })) as RoleWithRights,
    // A form must not change while somebody edits it.
    staleTime: Infinity,
    gcTime: 0,
  });

/** The current holders of a role, because the count on the page may be stale. */
export const holdersQuery = (orgId: OrgId, roleId: RoleId) =>
  queryOptions({
    queryKey: ['roles', orgId, roleId, 'holders'],
    queryFn: async () => {
      const { members = 0, holders = '' } = (await call(roles.read, {
        orgId,
        roleId,
        withHolders: '1',
      })) as { members?: number; holders?: string };
      return { members, holders };
    },
    gcTime: 0,
    refetchOnWindowFocus: 'always',
  });

/** For a role that is gone: drops unsaved changes and refetches, so that the page says so. */
export function useGoneRole(orgId: OrgId, roleId: RoleId) {
  const client = useQueryClient();
  return () => {
    forgetUnsaved();
    void client.invalidateQueries(roleQuery(orgId, roleId));
  };
}

export function useRefreshRoles(orgId: OrgId) {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['roles', orgId], exact: true }),
      client.invalidateQueries({ queryKey: ['members', orgId] }),
    ]);
}
