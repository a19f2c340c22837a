import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ownApplications, type OwnApplication } from '#contract/applications/own.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

export const ownQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['own-applications', orgId],
    queryFn: () => call(ownApplications.listOwn, { orgId }),
  });

/** Shows a change of an application at once, then refetches the list. */
export function useOwnChanged(orgId: OrgId) {
  const client = useQueryClient();
  return async (changed?: OwnApplication) => {
    if (changed)
      client.setQueryData(ownQuery(orgId).queryKey, (list) =>
        list?.map((one) => (one.id === changed.id ? changed : one)),
      );
    await client.invalidateQueries(ownQuery(orgId));
  };
}
