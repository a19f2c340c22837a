import { useEffect, useEffectEvent, useState } from 'react';
import type { CallError } from '#web/lib/call.ts';
import { presentWith } from '#web/lib/failures.ts';
import { site } from '#web/lib/site.ts';
import { usePopup } from '#web/ui/late.tsx';

const loadDialog = async () => (await import('./upgrade-dialog.tsx')).UpgradeDialog;

/** Shows refusals that a bigger plan would lift. */
export function UpgradePopup() {
  const [text, setText] = useState('');
  const { Popup, isOpen, open, close } = usePopup(loadDialog);
  const show = useEffectEvent((failure: CallError) => {
    setText(failure.message);
    open();
  });
  useEffect(() => {
    presentWith('upgrade', (failure) => show(failure));
  }, []);
  return Popup && <Popup open={isOpen} onClose={close} text={text} pricingUrl={site.pricingUrl} />;
}
