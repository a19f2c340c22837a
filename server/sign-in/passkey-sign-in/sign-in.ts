import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { passkeySignIn } from '#contract/sign-in/passkey-sign-in.ts';
import { passkeyText } from '#words/passkey.ts';
import { type Account, findAccountById } from '#server/accounts/data.ts';
import { type Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { randomToken } from '#server/keys.ts';
import { type Browser, signInOrChallenge } from '#server/sign-in/completion/actions.ts';
import { closeChallenge } from '#server/sign-in/challenge/actions.ts';
import { findChallenge } from '#server/sign-in/challenge/data.ts';
import {
  checkPasskey,
  type PasskeyFlow,
  passkeyRequest,
  supportsPasskeys,
  usePasskey,
} from '#server/sign-in/factors/actions.ts';

/** The cookies that tie the request for a passkey to this browser. */
type Bindings = { readonly passkey: string | undefined; readonly challenge: string | undefined };

/** As a second step it names the waiting person's passkeys. Returns the cookie that ties the answer to this browser. */
export async function beginSignIn(deps: Deps, isSecondStep: boolean, bindings: Bindings) {
  if (!supportsPasskeys(deps)) return refuse('not_allowed', { details: passkeyText.noHostName });
  if (!isSecondStep) {
    const cookie = bindings.passkey ?? randomToken();
    return { cookie, ...(await passkeyRequest(deps, { purpose: 'sign-in', binding: cookie })) };
  }
  const { challenge: token } = bindings;
  const challenge = token && (await findChallenge(deps.sql, { token }, deps.clock.now()));
  if (!challenge) return refuse('otp_expired');
  const flow = { purpose: 'second-step', binding: token } as const;
  return { cookie: undefined, ...(await passkeyRequest(deps, flow, challenge.user_id)) };
}

/** Signs in with a passkey. Its user verification counts as the second step, so no other one is asked for. */
export async function signInWithPasskey(
  deps: Deps,
  { credential, ...onward }: Input<typeof passkeySignIn.signInWithPasskey>,
  bindings: Bindings,
  browser: Browser,
) {
  const network = ipPrefix(browser.client.ipAddress);
  const tooMany = await deps.limiter.take('signInMinute', network);
  if (tooMany) return tooMany;
  const flows: PasskeyFlow[] = [
    ...(bindings.passkey ? [{ purpose: 'sign-in', binding: bindings.passkey } as const] : []),
    ...(bindings.challenge ? [{ purpose: 'second-step', binding: bindings.challenge } as const] : []),
  ];
  const proof = await checkPasskey(deps, credential, flows);
  if (proof instanceof Refusal) return proof;
  const { purpose, binding } = proof.flow;
  const waiting =
    purpose === 'second-step'
      ? await findChallenge(deps.sql, { token: binding }, deps.clock.now())
      : undefined;
  // Both steps must be of the same person.
  if (purpose === 'second-step' && waiting?.user_id !== proof.userId) return refuse('passkey_invalid');
  const account = await findAccountById(deps.sql, proof.userId, deps.clock.now());
  if (!account) return refuse('passkey_unknown');
  let refusal: Refusal<'passkey_invalid' | 'passkey_unknown' | 'otp_expired'> | undefined;
  const holds = async (tx: Tx, lockedAccount: Account) => {
    const challenge = waiting && { challengeId: waiting.id, userId: waiting.user_id };
    refusal =
      (await usePasskey(tx, deps, lockedAccount, proof)) ??
      (challenge && (await closeChallenge(tx, deps, challenge)));
    return refusal === undefined;
  };
  const step = { method: proof.method, secondStep: 'passkey', holds } as const;
  const result = await signInOrChallenge(deps, account, step, onward, browser);
  if (refusal) return refusal;
  await deps.limiter.giveBack([['signInMinute', network]]);
  if (result instanceof Refusal)
    return result.name === 'invalid_credentials'
      ? refuse('passkey_unknown')
      : (result as Refusal<Exclude<typeof result.name, 'invalid_credentials'>>);
  if ('challenge' in result) throw new Error('a passkey needs no second step');
  return result;
}
