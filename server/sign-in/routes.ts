import { Refusal } from '#contract/errors.ts';
import type { authenticator } from '#contract/sign-in/authenticator.ts';
import type { signIn as calls } from '#contract/sign-in/calls.ts';
import type { onward } from '#contract/sign-in/onward.ts';
import type { passkeys } from '#contract/sign-in/passkeys.ts';
import type { recoveryCodes } from '#contract/sign-in/recovery-codes.ts';
import type { redeeming } from '#contract/sign-in/redeem.ts';
import type { rememberedBrowsers } from '#contract/sign-in/remembered-browsers.ts';
import type { signingOut } from '#contract/sign-in/sign-out.ts';
import type { stepUp } from '#contract/sign-in/step-up.ts';
import type { waysIn } from '#contract/sign-in/ways-in.ts';
import type { Deps } from '#server/deps.ts';
import { settleSignIn } from '#server/http/cookies.ts';
import { browserOf, type Handlers } from '#server/http/serve.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { personOf } from '#server/keys.ts';
import { signIn, signOut } from './actions.ts';
import { beginAppSetup, finishAppSetup, removeApp } from '#server/sign-in/authenticator/actions.ts';
import { followUp, redeem, redirectTo } from '#server/sign-in/onward/actions.ts';
import {
  addPasskey,
  beginPasskey,
  closeOffer,
  readOffer,
  removePasskey,
  renameOwnPasskey,
} from '#server/sign-in/passkeys/actions.ts';
import { renewRecoveryCodes } from '#server/sign-in/recovery-codes/actions.ts';
import { forgetBrowsers } from '#server/sign-in/remembered/actions.ts';
import {
  mailProofCode,
  readProofs,
  readSteps,
  readTwoStep,
  reauthenticate,
  requestProofPasskey,
  setTwoStep,
} from '#server/sign-in/step-up/actions.ts';
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
    cookies.left.set(ticket);
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

export const onwardRoutes = (deps: Deps): Handlers<typeof onward & typeof redeeming> => ({
  redirect: ({ input, caller }) => redirectTo(deps, caller, input),
  redeem: ({ input }) => redeem(deps, input),
  next: ({ input, caller, scope }) => followUp(deps, caller.userId, scope?.orgId, input.path),
});

export const passkeyRoutes = (deps: Deps): Handlers<typeof passkeys> => ({
  begin: ({ caller }) => beginPasskey(deps, caller),
  add: ({ caller, input }) => addPasskey(deps, caller, input.credential),
  rename: ({ caller, input }) => renameOwnPasskey(deps, caller, input.id, input.name),
  remove: ({ caller, input }) => removePasskey(deps, caller, input.id),
  offer: ({ caller }) => readOffer(deps, caller),
  declineOffer: ({ caller }) => closeOffer(deps, caller.userId),
});

export const stepUpRoutes = (deps: Deps): Handlers<typeof stepUp> => ({
  twoStep: ({ caller }) => readTwoStep(deps, caller.userId),
  setTwoStep: ({ input, caller }) => setTwoStep(deps, caller, input.mfaEnabled),
  reauthenticate: async ({ input, caller, cookies, origin }) => {
    const token = await reauthenticate(deps, caller, ipPrefix(origin.ipAddress), input);
    if (token instanceof Refusal) return token;
    cookies.session.set(token);
    return {};
  },
  proofs: ({ caller, input: { step } }) => (step ? readSteps(deps, caller, step) : readProofs(deps, caller)),
  reauthenticateByPasskey: ({ caller }) => requestProofPasskey(deps, caller),
  reauthenticateByMail: ({ caller }) => mailProofCode(deps, caller),
});
