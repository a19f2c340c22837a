import type { authorization } from '#contract/applications/authorization.ts';
import { answerAuthorization, showRequest } from '#server/applications/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const applicationRoutes = (deps: Deps): Handlers<typeof authorization> => ({
  show: ({ input, caller }) => showRequest(deps, caller, input),
  answer: ({ input, caller }) => answerAuthorization(deps, caller, input),
});
