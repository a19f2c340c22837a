import { Refusal } from '#contract/errors.ts';
import type { signIn as calls } from '#contract/sign-in/calls.ts';
import type { signingOut } from '#contract/sign-in/sign-out.ts';
import type { Deps } from '#server/deps.ts';
import { settleSignIn } from '#server/http/cookies.ts';
import { browserOf, type Handlers } from '#server/http/serve.ts';
import { personOf } from '#server/keys.ts';
import { signIn, signOut } from '#server/sign-in/actions.ts';

export const signInRoutes = (deps: Deps): Handlers<typeof calls & typeof signingOut> => ({
  signIn: async (call) => {
    const result = deps.metrics.countSignIn(await signIn(deps, call.input, browserOf(call)));
    return result instanceof Refusal ? result : settleSignIn(call.cookies, result, 'password');
  },
  status: async ({ caller }) =>
    caller && {
      id: caller.userId,
      email: caller.email,
      fullName: caller.fullName,
      confirmed: caller.confirmed,
      person: personOf(deps.keys, caller.userId),
    },
  signOut: async ({ caller, cookies }) => {
    cookies.session.clear();
    const ticket = await signOut(deps, caller.userId, caller.sessionId);
    if (ticket === undefined) return {};
    cookies.company.set(ticket);
    return { atCompany: true };
  },
});
