import { Refusal } from '#contract/errors.ts';
import type { profile } from '#contract/profile/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { changePerson, readProfile } from '#server/profile/actions.ts';

export const profileRoutes = (deps: Deps): Pick<Handlers<typeof profile>, 'read' | 'update'> => ({
  read: ({ caller, scope }) => readProfile(deps, caller.userId, scope),
  update: async ({ input, caller, scope, origin, cookies }) => {
    const user = await changePerson(deps, caller, input, scope, ipPrefix(origin.ipAddress));
    if (input.language !== undefined && !(user instanceof Refusal)) cookies.language.set(input.language);
    return user;
  },
});
