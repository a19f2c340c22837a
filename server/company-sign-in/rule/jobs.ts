import type { OrgId, UserId } from '#contract/wire.ts';
import { tellOfBreakGlass } from './actions.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

export const companyRuleJobs: JobHandlers = {
  'company-break-glass': (deps, about: { readonly orgId: OrgId; readonly userId: UserId }) =>
    tellOfBreakGlass(deps, about),
};
