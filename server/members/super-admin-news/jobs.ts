import type { OrgId } from '#contract/wire.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { endQuietOfSuperAdmins } from '#server/members/super-admin-news/actions.ts';

export const superAdminJobs: JobHandlers = {
  'super-admin-news': (deps, { orgId }: { readonly orgId: OrgId }, jobId) =>
    endQuietOfSuperAdmins(deps, orgId, jobId),
};
