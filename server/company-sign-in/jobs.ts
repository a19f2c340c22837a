import { type Ended, mailPasswordLinks } from '#server/company-sign-in/password-links.ts';
import { directoryJobs } from '#server/company-sign-in/scim/roles.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

export const companyJobs: JobHandlers = {
  ...directoryJobs,
  'company-ended': (deps, ended: Ended, _jobId, progress) => mailPasswordLinks(deps, ended, progress),
};
