import type { communications } from '#contract/communications/calls.ts';
import { readPanel, readPreferences, readRange, setPreferences } from './actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const communicationRoutes = (deps: Deps): Handlers<typeof communications> => ({
  preferences: ({ caller }) => readPreferences(deps, caller.userId),
  setPreferences: ({ caller, input }) => setPreferences(deps, caller.userId, input),
  notifications: ({ caller, input, scope }) => readPanel(deps, caller, scope?.orgId, input.after),
  readNotifications: ({ caller, input, scope }) => {
    const { readFrom: from, readUpTo: upTo } = input;
    return readRange(deps, caller, scope?.orgId, { from, upTo });
  },
});
