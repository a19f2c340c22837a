import { Refusal } from '#contract/errors.ts';
import type { profile } from '#contract/profile/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { changePassword } from '#server/profile/password/actions.ts';

export const passwordRoutes = (deps: Deps): Pick<Handlers<typeof profile>, 'changePassword'> => ({
  changePassword: async ({ input, caller, origin, cookies }) => {
    const token = await changePassword(deps, caller, input, origin);
    if (token instanceof Refusal) return token;
    cookies.session.set(token);
    return {};
  },
});
