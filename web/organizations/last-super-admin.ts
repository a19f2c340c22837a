import { queryOptions } from '@tanstack/react-query';
import { members } from '#contract/members/calls.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { SUPER_ADMIN } from '#contract/roles/calls.ts';
import { call } from '#web/lib/call.ts';

/** Whether the caller is the only Super Admin and so cannot leave. Fetched when needed. */
export const lastSuperAdminQuery = ({ id, role }: Organization) =>
  queryOptions({
    queryKey: ['last-super-admin', id, role],
    queryFn: async () =>
      role === SUPER_ADMIN && (await call(members.list, { orgId: id, limit: 1 })).superAdmins <= 1,
  });
