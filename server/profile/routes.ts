import type { profile } from '#contract/profile.ts';
import { getUser } from '#server/accounts/data.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { updateProfile } from '#server/profile/actions.ts';

export const profileRoutes = (deps: Deps): Handlers<typeof profile> => ({
  read: ({ caller, scope }) => getUser(deps.sql, caller.userId, scope?.roleId),
  update: ({ input, caller, scope }) => updateProfile(deps, caller.userId, input, scope),
});
