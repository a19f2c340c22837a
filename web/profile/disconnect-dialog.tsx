import { disconnectText as text } from '#contract/text/disconnect.ts';
import { fill } from '#contract/text.ts';
import { Confirm } from '#web/ui/confirm.tsx';

type Props = { provider: string; act: string; onClose: () => void; onConfirm: () => Promise<boolean> };

/** Asks before a social sign-in is disconnected. */
export function DisconnectDialog({ provider, act, onClose, onConfirm }: Props) {
  return (
    <Confirm
      open
      onClose={onClose}
      title={fill(text.title, { provider })}
      act={act}
      destructive
      onConfirm={onConfirm}
    >
      {fill(text.effect, { provider })}
    </Confirm>
  );
}
