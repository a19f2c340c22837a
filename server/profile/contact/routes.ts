import type { profile } from '#contract/profile/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { cancelPendingEmail, resendPendingEmail } from '#server/profile/contact/actions.ts';

type Calls = Pick<Handlers<typeof profile>, 'resendPendingEmail' | 'cancelPendingEmail'>;
export const contactRoutes = (deps: Deps): Calls => ({
  resendPendingEmail: ({ caller, origin }) =>
    resendPendingEmail(deps, caller.userId, ipPrefix(origin.ipAddress)),
  cancelPendingEmail: ({ caller }) => cancelPendingEmail(deps, caller.userId),
});
