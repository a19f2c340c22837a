import { queryOptions } from '@tanstack/react-query';
import { joinRequests } from '#contract/company-sign-in/joining.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

/** The people who ask to join. They may do so at any time. */
export const joinRequestsQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['join requests', orgId],
    queryFn: () => call(joinRequests.list, { orgId }),
    refetchOnWindowFocus: true,
  });
