import type { profile } from '#contract/profile.ts';
import type { recovery } from '#contract/recovery.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { cancelPendingEmail, resendPendingEmail, restoreEmail } from '#server/profile/contact/actions.ts';

type Calls = Pick<Handlers<typeof profile>, 'resendPendingEmail' | 'cancelPendingEmail'>;
export const contactRoutes = (deps: Deps): Calls => ({
  resendPendingEmail: ({ caller }) => resendPendingEmail(deps, caller.userId),
  cancelPendingEmail: ({ caller }) => cancelPendingEmail(deps, caller.userId),
});

/** The way back into an account whose address somebody changed. */
export const restoreRoutes = (deps: Deps): Pick<Handlers<typeof recovery>, 'restoreEmail'> => ({
  restoreEmail: ({ input }) => restoreEmail(deps, input.digest),
});
