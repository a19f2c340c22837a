import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CompanyConnection, companyConnections } from '#contract/company-sign-in/connections.ts';
import { companyDirectory } from '#contract/company-sign-in/directory.ts';
import { companyDomains, type CompanyDomain } from '#contract/company-sign-in/domains.ts';
import type { Output } from '#contract/endpoint.ts';
import { type Role, SUPER_ADMIN } from '#contract/roles/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import { rolesQuery } from '#web/members/roles-query.ts';

const withoutSuperAdmin = (roles: readonly Role[]) => roles.filter(({ name }) => name !== SUPER_ADMIN);
/** The roles that a company may give. */
export const useRoles = (orgId: OrgId) =>
  useQuery({ ...rolesQuery(orgId), select: withoutSuperAdmin }).data ?? [];

export const domainsQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['company domains', orgId],
    queryFn: () => call(companyDomains.list, { orgId }),
    // The daily look may find a record, or miss it.
    refetchOnWindowFocus: true,
  });

export const isDomainProven = ({ provenTime }: CompanyDomain) => provenTime !== null;

/** Shows a changed domain at once; without one, fetches the list. */
export function useDomainChanged(orgId: OrgId) {
  const client = useQueryClient();
  const { queryKey } = domainsQuery(orgId);
  return async (changed?: CompanyDomain) => {
    if (!changed) return client.invalidateQueries({ queryKey });
    client.setQueryData(queryKey, (list) => list?.map((one) => (one.id === changed.id ? changed : one)));
    return undefined;
  };
}

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
export const isTestable = ({ issuer, clientId, hasSecret }: CompanyConnection) =>
  issuer !== '' && clientId !== '' && hasSecret;

export type DirectoryState = Output<typeof companyDirectory.read>;
/** Whether the directory alone adds people: it has a token, and has called or sent somebody. */
export const addsPeople = ({ tokens, people }: DirectoryState) =>
  tokens.some(({ lastUsedTime }) => lastUsedTime !== null || people > 0);
export type DirectoryToken = DirectoryState['tokens'][number];

export const directoryQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['company directory', orgId],
    queryFn: () => call(companyDirectory.read, { orgId }),
    // The directory calls meanwhile.
    refetchOnWindowFocus: true,
  });
