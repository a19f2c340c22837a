import type { UserId } from '#contract/wire.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { endQuietOfOwner } from '#server/sign-in/factors/actions.ts';
import { mailReset } from '#server/sign-in/recovery/actions.ts';

type MailRequest = { readonly email: string; readonly by: string };

export const recoveryJobs: JobHandlers = {
  'reset-mail': (deps, { email, by }: MailRequest) => mailReset(deps, email, by),
  'way-in-news': (deps, { userId }: { readonly userId: UserId }, jobId) =>
    endQuietOfOwner(deps, userId, jobId),
};
