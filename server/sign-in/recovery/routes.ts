import { Refusal } from '#contract/errors.ts';
import type { recovery } from '#contract/recovery.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import {
  createPassword,
  type FirstPasswordDoor,
  forgotPassword,
  notMe,
  resetPassword,
} from '#server/sign-in/recovery/actions.ts';

export const recoveryRoutes = (
  deps: Deps,
  invitations: FirstPasswordDoor,
): Omit<Handlers<typeof recovery>, 'restoreEmail'> => ({
  forgotPassword: ({ input, origin }) => forgotPassword(deps, input.email, origin),
  resetPassword: ({ input, origin }) => resetPassword(deps, input, origin),
  createPassword: async ({ input, origin, caller, cookies }) => {
    const place = { ...origin, replacedSession: caller?.sessionId };
    const token = await createPassword(deps, input, place, invitations);
    if (token instanceof Refusal) return token;
    if (token !== undefined) {
      cookies.session.set(token);
      cookies.method.set('password');
    }
    return {};
  },
  notMe: ({ input }) => notMe(deps, input.digest),
});
