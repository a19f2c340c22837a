import type { JobHandlers } from '#server/jobs/jobs.ts';
import { answerTakenAddress } from '#server/members/joining/actions.ts';

type SignUpAttempt = { readonly email: string; readonly by: string; readonly disclosed: boolean };

export const joiningJobs: JobHandlers = {
  'taken-address': (deps, { email, by, disclosed }: SignUpAttempt) =>
    answerTakenAddress(deps, email, by, disclosed),
};
