import type { Output } from '#contract/endpoint.ts';
import { passkeySignIn } from '#contract/sign-in/passkey-sign-in.ts';
import { call, CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { askForPasskey, PasskeyFailure } from '#web/lib/passkeys.ts';
import { askedPath, goTo } from '#web/lib/navigate.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { supportPath } from '#web/public-pages/support-path.ts';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';

type Outcome = Output<typeof passkeySignIn.signInWithPasskey>;
type How = { isSecondStep?: boolean; quietly?: boolean };

/**
 * Signs in with a passkey. Undefined if the person cancelled or the passkey was refused; they were told why.
 * `quietly`: offers passkeys in the autofill of the address field, and says nothing while nobody picks one.
 */
export async function signInByPasskey({ isSecondStep = false, quietly = false }: How = {}): Promise<
  Outcome | undefined
> {
  try {
    const { options } = await call(passkeySignIn.beginPasskey, { isSecondStep });
    const credential = await askForPasskey(options, { quietly });
    const timeZone = browserTimeZone();
    return await call(passkeySignIn.signInWithPasskey, {
      credential,
      timeZone,
      redirectPath: askedPath(),
    });
  } catch (failure) {
    if (failure instanceof PasskeyFailure) {
      if (!quietly && failure.message) showAlert({ kind: 'warning', text: failure.message });
    } else if (!(failure instanceof CallError)) throw failure;
    else if (failure.code === 'account_is_disable') goTo(supportPath(failure));
    else if (!(quietly && failure.code === 'not_allowed')) present(failure);
    return undefined;
  }
}

/** Offers passkeys in the autofill of the address field, where the browser can. Resolves once one has signed in. */
export async function offerPasskeys(): Promise<Outcome | undefined> {
  const canOffer = await window.PublicKeyCredential?.isConditionalMediationAvailable?.();
  return canOffer ? signInByPasskey({ quietly: true }) : undefined;
}
