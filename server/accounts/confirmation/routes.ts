import type { confirmation } from '#contract/accounts/confirmation.ts';
import { type EndSessionsPort, type NewAddressPort, resendVerification, verifyEmail } from './actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

export const confirmationRoutes = (
  deps: Deps,
  sessions: EndSessionsPort,
  moveTo: NewAddressPort,
): Handlers<typeof confirmation> => ({
  verifyEmail: ({ input, origin, caller }) =>
    verifyEmail(deps, input, ipPrefix(origin.ipAddress), caller ?? undefined, sessions, moveTo),
  resendVerification: ({ input, origin, caller }) =>
    resendVerification(deps, input.email, origin, caller?.userId),
});
