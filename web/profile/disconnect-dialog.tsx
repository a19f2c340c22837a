import { disconnectText as text } from '#contract/text/disconnect.ts';
import { profileText } from '#contract/text/profile.ts';
import { fill } from '#contract/text.ts';
import { Confirm } from '#web/ui/confirm.tsx';

type Props = { provider: string; onClose: () => void; onConfirm: () => Promise<boolean> };

/** Asks before a sign-in elsewhere opens the account no more. */
export function DisconnectDialog({ provider, onClose, onConfirm }: Props) {
  return (
    <Confirm
      open
      onClose={onClose}
      title={fill(text.title, { provider })}
      act={fill(profileText.disconnectOne, { provider })}
      destructive
      onConfirm={onConfirm}
    >
      {fill(text.effect, { provider })}
    </Confirm>
  );
}
