import type { activity } from '#contract/activity/calls.ts';
import { exportActivity, findReader, listActivity } from './actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller, OrgScope } from '#server/http/gate.ts';
import type { Handlers } from '#server/http/serve.ts';

export const activityRoutes = (deps: Deps): Handlers<typeof activity> => {
  const readerOf = (caller: Caller, scope: OrgScope | null) => findReader(deps.sql, caller, scope);
  return {
    list: async ({ input, caller, scope }) => listActivity(deps, await readerOf(caller, scope), input),
    export: async ({ input, caller, scope }) => exportActivity(deps, await readerOf(caller, scope), input),
  };
};
