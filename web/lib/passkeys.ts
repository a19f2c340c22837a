import { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';
import { passkeyFailureText as text } from '#words/passkey-failure.ts';

type Options = Readonly<Record<string, unknown>>;
type Reasons = Readonly<Record<string, string>>;

/** The browser made no answer. `message` is for the person; empty if they saw the reason themselves. */
export class PasskeyFailure extends Error {}

/** Asks the browser for a passkey. `quietly` offers it in the autofill of the address field and waits. */
export const askForPasskey = (options: Options, { quietly = false } = {}) =>
  explained(() =>
    startAuthentication({
      optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'],
      useBrowserAutofill: quietly,
    }),
  );

export const endRequest = () => WebAuthnAbortService.cancelCeremony();

export const makePasskey = (options: Options) =>
  explained(
    () =>
      startRegistration({
        optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'],
      }),
    { NotAllowedError: text.notMade },
  );

async function explained<T>(ask: () => Promise<T>, special: Reasons = {}): Promise<T> {
  if (!window.PublicKeyCredential) throw new PasskeyFailure(text.notSupported);
  try {
    return await ask();
  } catch (cause) {
    throw Object.assign(new PasskeyFailure(reasonOf(cause as Error, special)), { cause });
  }
}

/** Browsers give one name to a cancelled request, a timeout and a missing passkey (WebAuthn, section 14.5). */
const reasons: Reasons = {
  NotAllowedError: text.notAllowed,
  InvalidStateError: text.alreadyThere,
  NotSupportedError: text.notSupported,
  ConstraintError: text.noVerification,
  SecurityError: text.wrongAddress,
  AbortError: '',
};
const reasonOf = ({ name }: Error, special: Reasons) => special[name] ?? reasons[name] ?? text.failed;

const rpId = () => location.hostname;

/** Tells the device that we do not know a passkey, where the browser can. */
export const signalUnknown = async (credentialId: string) =>
  window.PublicKeyCredential?.signalUnknownCredential?.({ rpId: rpId(), credentialId });

/** Tells the device which passkeys of a person are left, where the browser can. */
export const signalLeft = async (userId: string, allAcceptedCredentialIds: string[]) =>
  window.PublicKeyCredential?.signalAllAcceptedCredentials?.({
    rpId: rpId(),
    userId,
    allAcceptedCredentialIds,
  });
