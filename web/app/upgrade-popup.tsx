import { useEffect, useState } from 'react';
import { presentWith } from '#web/lib/failures.ts';
import { site } from '#web/lib/site.ts';
import { latePopup } from '#web/ui/late.tsx';

const UpgradeDialog = latePopup(async () => (await import('./upgrade-dialog.tsx')).UpgradeDialog);

export function UpgradePopup() {
  const [text, setText] = useState<string>();
  useEffect(() => {
    presentWith('upgrade', ({ message }) => setText(message));
  }, []);
  return (
    text !== undefined && (
      <UpgradeDialog onClose={() => setText(undefined)} text={text} pricingUrl={site.pricingUrl} />
    )
  );
}
