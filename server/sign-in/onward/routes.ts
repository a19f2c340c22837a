import type { onward } from '#contract/sign-in/onward.ts';
import type { redeeming } from '#contract/sign-in/redeem.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { followUp, redeem, redirectTo } from '#server/sign-in/onward/actions.ts';

export const onwardRoutes = (deps: Deps): Handlers<typeof onward & typeof redeeming> => ({
  redirect: ({ input, caller }) => redirectTo(deps, caller, input),
  redeem: ({ input }) => redeem(deps, input),
  next: ({ input, caller, scope }) => followUp(deps, caller.userId, scope?.orgId, input.path),
});
