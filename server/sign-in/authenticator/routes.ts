import type { authenticator } from '#contract/sign-in/authenticator.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { beginAppSetup, finishAppSetup, removeApp } from '#server/sign-in/authenticator/actions.ts';

export const authenticatorRoutes = (deps: Deps): Handlers<typeof authenticator> => ({
  beginSetup: ({ caller }) => beginAppSetup(deps, caller),
  finishSetup: ({ caller, input }) => finishAppSetup(deps, caller, input),
  removeApp: ({ caller }) => removeApp(deps, caller),
});
