import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ownApplications, type OwnApplication } from '#contract/applications/own.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

/** The organization's own applications. */
export const ownQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['own-applications', orgId],
    queryFn: () => call(ownApplications.listOwn, { orgId }),
  });

/** Shows a change of an application at once, and then the list as the server has it. */
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
