import type { activity } from '#contract/activity/calls.ts';
import { exportActivity, listActivity } from '#server/activity/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const activityRoutes = (deps: Deps): Handlers<typeof activity> => ({
  list: ({ input, caller, scope }) => listActivity(deps, { userId: caller.userId, scope }, input),
  export: ({ input, caller, scope }) => exportActivity(deps, { userId: caller.userId, scope }, input),
});
