import { mailRestore } from '#server/accounts/deletion/actions.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

export const deletionJobs: JobHandlers = {
  'restore-mail': (deps, { email }: { email: string }) => mailRestore(deps, email),
};
