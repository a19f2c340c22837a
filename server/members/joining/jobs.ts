import type { JobHandlers } from '#server/jobs/jobs.ts';
import { answerTakenAddress } from '#server/members/joining/actions.ts';

type Taken = { readonly email: string; readonly disclosed: boolean };

export const joiningJobs: JobHandlers = {
  'taken-address': (deps, { email, disclosed }: Taken) => answerTakenAddress(deps, email, disclosed),
};
