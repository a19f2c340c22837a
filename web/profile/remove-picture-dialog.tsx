import { drive } from '#contract/drive/calls.ts';
import { profileText as text } from '#contract/text/profile.ts';
import type { OrgId } from '#contract/wire.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Confirm } from '#web/ui/confirm.tsx';

type Props = {
  orgId: OrgId | undefined;
  onClose: () => void;
  onRemoved: () => void;
  /** Gets the focus afterwards, because the button that opened this disappears. */
  after: HTMLElement | null;
};

/** Asks before the picture is removed. */
export function RemovePictureDialog({ orgId, onClose, onRemoved, after }: Props) {
  const { run } = useCall(drive.removePicture);
  const remove = async () => {
    if (!(await run({ orgId }))) return false;
    onRemoved();
    showAlert({ kind: 'success', text: text.pictureRemoved });
    return true;
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={text.removePictureTitle}
      act={text.removePictureName}
      destructive
      after={after}
      onConfirm={remove}
    >
      {text.removePictureEffect}
    </Confirm>
  );
}
