import type { ownApplications } from '#contract/applications/own.ts';
import {
  changeApplication,
  listApplications,
  pauseApplication,
  registerApplication,
  rotateSecret,
  unregisterApplication,
} from '#server/applications/own/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const ownApplicationRoutes = (deps: Deps): Handlers<typeof ownApplications> => ({
  listOwn: ({ scope }) => listApplications(deps, scope),
  register: ({ input, scope, caller }) => registerApplication(deps, scope, caller, input),
  change: ({ input, scope, caller }) => changeApplication(deps, scope, caller, input),
  unregister: ({ input, scope, caller }) => unregisterApplication(deps, scope, caller, input),
  rotateSecret: ({ input, scope, caller }) => rotateSecret(deps, scope, caller, input),
  pause: ({ input, scope, caller }) => pauseApplication(deps, scope, caller, input),
});
