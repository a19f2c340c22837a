import { useEffect, useEffectEvent } from 'react';
import { passwordSignIn } from '#web/lib/stored-text.ts';
import { usePopup } from '#web/ui/late.tsx';

const loadDialog = async () => (await import('#web/sign-in/passkey-offer.tsx')).PasskeyOffer;

/** Offers a passkey after a sign-in by password, if the device itself can keep one. */
export function PasskeyOfferPopup() {
  const { Popup, isOpen, open, close } = usePopup(loadDialog);
  const show = useEffectEvent(open);
  useEffect(() => {
    if (passwordSignIn.read() === null) return;
    passwordSignIn.forget();
    void canKeepPasskeys().then((isAble) => isAble && show());
  }, []);
  return Popup && isOpen && <Popup onClose={close} />;
}

/** Browsers without passkeys lack the class, and older ones the question. */
const canKeepPasskeys = async (): Promise<boolean> =>
  (await window.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable?.()) ?? false;
