import { resendTo } from '#server/accounts/actions.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

export const accountJobs: JobHandlers = {
  'resend-verification': (deps, { email }: { email: string }) => resendTo(deps, email),
};
