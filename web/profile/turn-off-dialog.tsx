import { stepUpText as text } from '#contract/text/step-up.ts';
import { Confirm } from '#web/ui/confirm.tsx';

type Props = { effect: string; onClose: () => void; onConfirm: () => Promise<boolean> };

/** Asks before two-step sign-in is turned off. */
export function TurnOffDialog({ effect, onClose, onConfirm }: Props) {
  return (
    <Confirm
      open
      onClose={onClose}
      title={text.turnOffTitle}
      act={text.turnOff}
      destructive
      onConfirm={onConfirm}
    >
      {effect}
    </Confirm>
  );
}
