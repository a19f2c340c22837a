import { Refusal } from '#contract/errors.ts';
import type { passkeySignIn } from '#contract/sign-in/passkey-sign-in.ts';
import type { passkeys } from '#contract/sign-in/passkeys.ts';
import type { Deps } from '#server/deps.ts';
import { type Cookies, settleSignIn } from '#server/http/cookies.ts';
import { browserOf, type Handlers } from '#server/http/serve.ts';
import {
  addPasskey,
  beginPasskey,
  beginSignIn,
  closeOffer,
  listOwnPasskeys,
  readLocks,
  readOffer,
  removePasskey,
  renameOwnPasskey,
  signInWithPasskey,
} from '#server/sign-in/passkeys/actions.ts';

const bindingsOf = ({ passkey, challenge }: Cookies) => ({
  passkey: passkey.value,
  challenge: challenge.value,
});

export const passkeyRoutes = (deps: Deps): Handlers<typeof passkeys & typeof passkeySignIn> => ({
  list: ({ caller }) => listOwnPasskeys(deps, caller.userId),
  begin: ({ caller }) => beginPasskey(deps, caller),
  add: ({ caller, input }) => addPasskey(deps, caller, input.credential),
  rename: ({ caller, input }) => renameOwnPasskey(deps, caller, input.id, input.name),
  remove: ({ caller, input }) => removePasskey(deps, caller, input.id),
  locks: ({ caller }) => readLocks(deps, caller.userId),
  offer: ({ caller }) => readOffer(deps, caller.userId),
  declineOffer: ({ caller }) => closeOffer(deps, caller.userId),
  beginPasskey: async ({ input, cookies }) => {
    const request = await beginSignIn(deps, input.isSecondStep, bindingsOf(cookies));
    if (request instanceof Refusal) return request;
    if (request.cookie) cookies.passkey.set(request.cookie);
    return { options: request.options };
  },
  signInWithPasskey: async (call) => {
    const { cookies, input } = call;
    const result = deps.metrics.countSignIn(
      await signInWithPasskey(deps, input, bindingsOf(cookies), browserOf(call)),
    );
    if (result instanceof Refusal) return result;
    cookies.passkey.clear();
    return settleSignIn(cookies, result, 'passkey');
  },
});
