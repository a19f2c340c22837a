import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { type CompanyConnection, companyConnections } from '#contract/company-sign-in/connections.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

export const connectionsQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['company connections', orgId],
    queryFn: () => call(companyConnections.list, { orgId }),
  });

/** People sign in meanwhile. */
export const attemptsQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['company attempts', orgId],
    queryFn: () => call(companyConnections.attempts, { orgId }),
    refetchOnWindowFocus: true,
  });

export function useConnectionsChanged(orgId: OrgId) {
  const client = useQueryClient();
  return () => client.invalidateQueries(connectionsQuery(orgId));
}

/** Whether the draft has all that a test needs. */
export const isWhole = ({ issuer, clientId, hasSecret }: CompanyConnection) =>
  issuer !== '' && clientId !== '' && hasSecret;
