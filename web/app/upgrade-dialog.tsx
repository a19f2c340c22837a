import { upgradeText } from '#words/upgrade.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type Props = { onClose: () => void; text: string; pricingUrl: string | null };

export function UpgradeDialog({ onClose, text, pricingUrl }: Props) {
  const title = upgradeText.title;
  if (pricingUrl !== null) {
    return (
      <Confirm
        onClose={onClose}
        title={title}
        act={upgradeText.act}
        href={pricingUrl}
        cancel={upgradeText.notNow}
      >
        {text}
      </Confirm>
    );
  }
  const close = <Button onClick={onClose}>{upgradeText.close}</Button>;
  return (
    <Dialog onClose={onClose} title={title} description={upgradeText.ask({ limit: text })} footer={close} />
  );
}
