import { queryOptions } from '@tanstack/react-query';
import { companyDirectory } from '#contract/company-sign-in/directory.ts';
import type { Output } from '#contract/endpoint.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

export type Directory = Output<typeof companyDirectory.read>;
export type DirectoryToken = Directory['tokens'][number];

export const directoryQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['company directory', orgId],
    queryFn: () => call(companyDirectory.read, { orgId }),
    // The directory calls meanwhile.
    refetchOnWindowFocus: true,
  });
