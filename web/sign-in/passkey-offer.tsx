import { useEffect, useEffectEvent, useState } from 'react';
import { passkeys } from '#contract/sign-in/passkeys.ts';
import { passkeyOfferText as text } from '#words/passkey-offer.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { call } from '#web/lib/call.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useNewPasskey } from './use-new-passkey.ts';

type Props = { onClose: () => void; onCodes: (recoveryCodes: string[]) => void };

export function PasskeyOffer({ onClose, onCodes }: Props) {
  const [isOpen, setOpen] = useState(false);
  const passkey = useNewPasskey((_passkey, recoveryCodes) => {
    showAlert({ kind: 'success', text: text.added });
    if (recoveryCodes) onCodes(recoveryCodes);
    else onClose();
  });
  const stayAway = useEffectEvent(onClose);
  useEffect(() => {
    // Nobody waits for an offer, so one that fails to load stays away.
    call(passkeys.offer, {}).then(
      (offer) => (offer.isOpen ? setOpen(true) : stayAway()),
      () => stayAway(),
    );
  }, []);
  const decline = () => {
    onClose();
    // The offer comes once more if this fails.
    call(passkeys.declineOffer, {}).catch(() => undefined);
  };
  if (!isOpen) return null;
  return (
    <Dialog
      onClose={decline}
      busy={passkey.busy}
      size="small"
      title={text.title}
      description={text.lead}
      footer={
        <>
          <Button onClick={decline} disabled={passkey.busy}>
            {text.later}
          </Button>
          <Button kind="primary" busy={passkey.busy} onClick={() => void passkey.add()}>
            {text.create}
          </Button>
        </>
      }
    >
      {passkey.problem && (
        <Notice kind="warning" announce>
          {passkey.problem}
        </Notice>
      )}
    </Dialog>
  );
}
