import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Output } from '#contract/endpoint.ts';
import { companyDomains, type CompanyDomain } from '#contract/company-sign-in/domains.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

export type Checked = Output<typeof companyDomains.check>;

export const domainsQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['company domains', orgId],
    queryFn: () => call(companyDomains.list, { orgId }),
    // The daily look may find a record, or miss it.
    refetchOnWindowFocus: true,
  });

/** Shows a changed domain at once; without one, fetches the list. */
export function useDomainChanged(orgId: OrgId) {
  const client = useQueryClient();
  const { queryKey } = domainsQuery(orgId);
  return (changed?: CompanyDomain) => {
    if (!changed) return client.invalidateQueries({ queryKey });
    client.setQueryData(queryKey, (list) => list?.map((one) => (one.id === changed.id ? changed : one)));
    return undefined;
  };
}
