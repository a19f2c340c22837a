import { PASSKEY_MINUTES } from '#contract/limits.ts';
import type { Output } from '#contract/endpoint.ts';
import { passkeySignIn } from '#contract/sign-in/passkey-sign-in.ts';
import { call, CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { askForPasskey, endRequest, PasskeyFailure, signalUnknown } from '#web/lib/passkeys.ts';
import { askedPath, goTo } from '#web/lib/navigate.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { supportPath } from '#web/public-pages/support-path.ts';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';

type Outcome = Output<typeof passkeySignIn.signInWithPasskey>;
type How = { isSecondStep?: boolean };

/** Whether the person asked for a passkey by themselves. This ends the offer. */
let hasAsked = false;

/** Signs in with a passkey. Undefined if the person cancelled or the passkey was refused; they were told why. */
export async function signInByPasskey({ isSecondStep = false }: How = {}): Promise<Outcome | undefined> {
  hasAsked = true;
  try {
    const { options } = await call(passkeySignIn.beginPasskey, { isSecondStep });
    return await answer(await askForPasskey(options));
  } catch (failure) {
    if (failure instanceof PasskeyFailure) {
      if (failure.message) showAlert({ kind: 'warning', text: failure.message });
    } else explain(failure);
    return undefined;
  }
}

async function answer(credential: Awaited<ReturnType<typeof askForPasskey>>): Promise<Outcome> {
  try {
    const place = { timeZone: browserTimeZone(), redirectPath: askedPath() };
    return await call(passkeySignIn.signInWithPasskey, { credential, ...place });
  } catch (failure) {
    if (failure instanceof CallError && failure.code === 'passkey_unknown') void signalUnknown(credential.id);
    throw failure;
  }
}

function explain(failure: unknown) {
  if (!(failure instanceof CallError)) throw failure;
  if (failure.code === 'account_is_disable') goTo(supportPath(failure));
  else present(failure);
}

/** A challenge is replaced before it expires. */
const RENEW_MS = (PASSKEY_MINUTES - 1) * 60_000;
const RETRY_MS = 60_000;

/** Where the browser can, until one has signed in. Undefined if another request took the offer's place. */
export async function offerPasskeys(): Promise<Outcome | undefined> {
  const canOffer = await window.PublicKeyCredential?.isConditionalMediationAvailable?.();
  if (!canOffer) return undefined;
  hasAsked = false;
  for (;;) {
    const request = await call(passkeySignIn.beginPasskey, { isSecondStep: false }).catch(() => undefined);
    if (!request) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      if (hasAsked) return undefined;
      continue;
    }
    let isDue = false;
    const renewal = setTimeout(() => {
      isDue = true;
      endRequest();
    }, RENEW_MS);
    const startedAt = performance.now();
    const picked = await askForPasskey(request.options, { quietly: true }).catch(reasonToStop);
    clearTimeout(renewal);
    if (typeof picked === 'object') {
      const outcome = await answer(picked).catch(explain);
      if (outcome) return outcome;
    } else if (!isDue && (picked === 'replaced' || performance.now() - startedAt < QUICK_MS))
      return undefined;
  }
}

/** A browser that refuses sooner would refuse each offer. */
const QUICK_MS = 1000;
/** Nobody asked for the offer, so its failure stays silent. Only a replaced one has no message. */
function reasonToStop(failure: unknown) {
  if (!(failure instanceof PasskeyFailure)) throw failure;
  return failure.message === '' ? ('replaced' as const) : ('cancelled' as const);
}
