import { Refusal } from '#contract/errors.ts';
import type { authenticator } from '#contract/sign-in/authenticator.ts';
import type { signIn as calls } from '#contract/sign-in/calls.ts';
import type { recoveryCodes } from '#contract/sign-in/recovery-codes.ts';
import type { rememberedBrowsers } from '#contract/sign-in/remembered-browsers.ts';
import type { signingOut } from '#contract/sign-in/sign-out.ts';
import type { waysIn } from '#contract/sign-in/ways-in.ts';
import type { Deps } from '#server/deps.ts';
import { settleSignIn } from '#server/http/cookies.ts';
import { browserOf, type Handlers } from '#server/http/serve.ts';
import { personOf } from '#server/keys.ts';
import { signIn, signOut } from '#server/sign-in/actions.ts';
import { beginAppSetup, finishAppSetup, removeApp } from '#server/sign-in/authenticator/actions.ts';
import { renewRecoveryCodes } from '#server/sign-in/recovery-codes/actions.ts';
import { forgetBrowsers } from '#server/sign-in/remembered/actions.ts';
import { readWaysIn } from '#server/sign-in/ways-in/reading.ts';

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

export const waysInRoutes = (deps: Deps): Handlers<typeof waysIn> => ({
  read: ({ caller, cookies }) => readWaysIn(deps, caller.userId, cookies.device.value),
});

export const rememberedRoutes = (deps: Deps): Handlers<typeof rememberedBrowsers> => ({
  forget: ({ caller, input }) => forgetBrowsers(deps, caller.userId, input.id),
});

export const recoveryCodeRoutes = (deps: Deps): Handlers<typeof recoveryCodes> => ({
  renew: ({ caller }) => renewRecoveryCodes(deps, caller),
});

export const authenticatorRoutes = (deps: Deps): Handlers<typeof authenticator> => ({
  beginSetup: ({ caller }) => beginAppSetup(deps, caller),
  finishSetup: ({ caller, input }) => finishAppSetup(deps, caller, input),
  removeApp: ({ caller }) => removeApp(deps, caller),
});
