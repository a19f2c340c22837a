import type { applicationSignOut } from '#contract/applications/sign-outs.ts';
import { confirmSignOut, showSignOut } from '#server/applications/sign-outs/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const applicationSignOutRoutes = (deps: Deps): Handlers<typeof applicationSignOut> => ({
  showSignOut: ({ input, caller }) => showSignOut(deps, caller, input),
  confirmSignOut: async ({ input, caller, cookies }) => {
    const answer = await confirmSignOut(deps, caller, input);
    if ('url' in answer) cookies.session.clear();
    return answer;
  },
});
