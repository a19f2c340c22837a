import { areaText } from '#contract/text/area.ts';
import { fill } from '#contract/text.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type Props = { open: boolean; onClose: () => void; text: string; pricingUrl: string | null };

/** Names the limit that is reached, and links to the prices if the operator has set an address. */
export function UpgradeDialog({ open, onClose, text, pricingUrl }: Props) {
  const title = areaText.upgradeTitle;
  if (pricingUrl !== null) {
    return (
      <Confirm
        open={open}
        onClose={onClose}
        title={title}
        act={areaText.upgrade}
        href={pricingUrl}
        cancel={areaText.notNow}
      >
        {text}
      </Confirm>
    );
  }
  const close = <Button onClick={onClose}>{areaText.close}</Button>;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={fill(areaText.upgradeAsk, { limit: text })}
      footer={close}
    />
  );
}
