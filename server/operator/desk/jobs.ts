import type { JobHandlers } from '#server/jobs/jobs.ts';
import { runDue } from '#server/operator/desk/actions.ts';

export const deskJobs: JobHandlers = {
  'desk-request': (deps, { id }: { id: number }) => runDue(deps, id),
};
