import { queryOptions } from '@tanstack/react-query';
import { members } from '#contract/members.ts';
import type { Organization } from '#contract/organizations.ts';
import { SUPER_ADMIN } from '#contract/roles.ts';
import { call } from '#web/lib/call.ts';

/** Whether nobody but oneself could look after the organization, so that one can't leave it. */
export const lastSuperAdminQuery = ({ id, role }: Organization) =>
  queryOptions({
    queryKey: ['last-super-admin', id, role],
    queryFn: async () =>
      role === SUPER_ADMIN && (await call(members.list, { orgId: id, limit: 1 })).superAdmins <= 1,
  });
