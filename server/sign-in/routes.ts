import { Refusal } from '#contract/errors.ts';
import type { secondStep } from '#contract/sign-in/second-step.ts';
import type { signIn as calls } from '#contract/sign-in.ts';
import type { signingOut } from '#contract/sign-in/sign-out.ts';
import type { SessionId } from '#contract/wire.ts';
import type { Deps } from '#server/deps.ts';
import { type Cookies, giveCookies } from '#server/http/cookies.ts';
import type { Handlers } from '#server/http/serve.ts';
import { personOf } from '#server/keys.ts';
import type { ClientOrigin } from '#server/origin.ts';
import {
  type Browser,
  type Challenged,
  type CompletedSignIn,
  renewCode,
  signIn,
  signOut,
  verifyCode,
} from '#server/sign-in/actions.ts';

const browserOf = (call: {
  origin: ClientOrigin;
  cookies: Cookies;
  caller: { sessionId: SessionId } | null;
}): Browser => ({
  client: { ...call.origin, replacedSession: call.caller?.sessionId },
  device: call.cookies.device.value,
});

/** Sets the cookies of a sign-in's result and builds the answer. */
function settle(
  cookies: Cookies,
  result: CompletedSignIn | Challenged,
  method?: Parameters<typeof giveCookies>[2],
) {
  giveCookies(cookies, result, method);
  if ('challenge' in result) return { mfaEnabled: true, contact: result.contact };
  const { next, code } = result;
  return { mfaEnabled: false, ...(next !== undefined && { next }), ...(code !== undefined && { code }) };
}

export const signInRoutes = (deps: Deps): Handlers<typeof calls & typeof secondStep & typeof signingOut> => ({
  signIn: async (call) => {
    const result = deps.metrics.countSignIn(await signIn(deps, call.input, browserOf(call)));
    return result instanceof Refusal ? result : settle(call.cookies, result, 'password');
  },
  resendCode: ({ cookies }) => renewCode(deps, cookies.challenge.value),
  verifyCode: async (call) => {
    const { cookies, input } = call;
    const result = deps.metrics.countSignIn(
      await verifyCode(deps, input, cookies.challenge.value, browserOf(call)),
    );
    return result instanceof Refusal ? result : settle(cookies, result);
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
    return signOut(deps, caller.userId, caller.sessionId);
  },
});
