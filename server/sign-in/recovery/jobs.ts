import type { JobHandlers } from '#server/jobs/jobs.ts';
import { mailReset } from '#server/sign-in/recovery/actions.ts';

export const recoveryJobs: JobHandlers = {
  'reset-mail': (deps, { email }: { email: string }) => mailReset(deps, email),
};
