import { Refusal } from '#contract/errors.ts';
import type { passkeySignIn } from '#contract/sign-in/passkey-sign-in.ts';
import type { Deps } from '#server/deps.ts';
import { type Cookies, settleSignIn } from '#server/http/cookies.ts';
import { browserOf, type Handlers } from '#server/http/serve.ts';
import { beginSignIn, signInWithPasskey } from './sign-in.ts';

const bindingsOf = ({ passkey, challenge }: Cookies) => ({
  passkey: passkey.value,
  challenge: challenge.value,
});

export const passkeySignInRoutes = (deps: Deps): Handlers<typeof passkeySignIn> => ({
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
