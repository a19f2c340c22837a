import { queryOptions } from '@tanstack/react-query';
import { type Role, roles } from '#contract/roles/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

export const rolesQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['roles', orgId],
    queryFn: async () => (await call(roles.read, { orgId })) as Role[],
  });
