import { Refusal } from '#contract/errors.ts';
import type { stepUp } from '#contract/sign-in/step-up.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import {
  mailProofCode,
  readProofs,
  readTwoStep,
  reauthenticate,
  requestProofPasskey,
  setTwoStep,
} from '#server/sign-in/step-up/actions.ts';

export const stepUpRoutes = (deps: Deps): Handlers<typeof stepUp> => ({
  twoStep: ({ caller }) => readTwoStep(deps, caller.userId),
  setTwoStep: ({ input, caller }) => setTwoStep(deps, caller, input.mfaEnabled),
  reauthenticate: async ({ input, caller, cookies, origin }) => {
    const token = await reauthenticate(deps, caller, ipPrefix(origin.ipAddress), input);
    if (token instanceof Refusal) return token;
    cookies.session.set(token);
    return {};
  },
  proofs: ({ caller }) => readProofs(deps, caller),
  reauthenticateByPasskey: ({ caller }) => requestProofPasskey(deps, caller),
  reauthenticateByMail: ({ caller }) => mailProofCode(deps, caller),
});
