import { useEffect, useState } from 'react';
import { passwordSignIn } from '#web/lib/stored-text.ts';
import { latePopup } from '#web/ui/late.tsx';

const PasskeyOffer = latePopup(async () => (await import('#web/sign-in/passkey-offer.tsx')).PasskeyOffer);

export function PasskeyOfferPopup() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (passwordSignIn.read() === null) return;
    passwordSignIn.forget();
    void canKeepPasskeys().then(setOpen);
  }, []);
  return isOpen && <PasskeyOffer onClose={() => setOpen(false)} />;
}

/** Browsers without passkeys lack the class, and older ones the question. */
const canKeepPasskeys = async (): Promise<boolean> =>
  (await window.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable?.()) ?? false;
