import type { recoveryCodes } from '#contract/sign-in/recovery-codes.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { renewRecoveryCodes } from '#server/sign-in/recovery-codes/actions.ts';

export const recoveryCodeRoutes = (deps: Deps): Handlers<typeof recoveryCodes> => ({
  renew: ({ caller }) => renewRecoveryCodes(deps, caller),
});
