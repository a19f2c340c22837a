import { Refusal } from '#contract/errors.ts';
import type { signIn as calls } from '#contract/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { createPassword, signIn, signOut } from '#server/sign-in/actions.ts';

export const signInRoutes = (deps: Deps): Handlers<typeof calls> => ({
  signIn: async ({ input, caller, origin, cookie }) => {
    const result = await signIn(deps, input, origin, caller?.sessionId);
    if (result instanceof Refusal) return result;
    cookie.set(result.token);
    return result.answer;
  },
  createPassword: async ({ input, origin, cookie }) => {
    const token = await createPassword(deps, input, origin);
    if (token instanceof Refusal) return token;
    cookie.set(token);
    return {};
  },
  status: async ({ caller }) =>
    caller && {
      id: caller.userId,
      email: caller.email,
      fullName: caller.fullName,
      confirmed: caller.confirmed,
    },
  signOut: async ({ caller, cookie }) => {
    cookie.clear();
    return signOut(deps, caller.userId, caller.sessionId);
  },
});
