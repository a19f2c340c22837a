import type { profile } from '#contract/profile.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { readProfile, updateProfile } from '#server/profile/actions.ts';

export const profileRoutes = (deps: Deps): Handlers<typeof profile> => ({
  read: ({ caller, scope }) => readProfile(deps, caller.userId, scope),
  update: ({ input, caller, scope }) => updateProfile(deps, caller.userId, input, scope),
});
