import { type Ended, mailPasswordLinks } from './password-links.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

export const companyJobs: JobHandlers = {
  'company-ended': (deps, ended: Ended, _jobId, progress) => mailPasswordLinks(deps, ended, progress),
};
