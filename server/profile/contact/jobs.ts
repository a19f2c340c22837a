import type { UserId } from '#contract/wire.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { mailNewAddress } from '#server/profile/contact/actions.ts';

export const contactJobs: JobHandlers = {
  'new-address-mail': (deps, { userId }: { userId: UserId }) => mailNewAddress(deps, userId),
};
