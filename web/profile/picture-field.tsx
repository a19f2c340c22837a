import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { drive } from '#contract/drive/calls.ts';
import { UPLOAD_PERMISSION } from '#contract/limits.ts';
import { profile } from '#contract/profile/calls.ts';
import { profileText as text } from '#words/profile.ts';
import type { User } from '#contract/profile/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import { useImagePicker } from '#web/ui/image-picker.tsx';
import { upload } from '#web/lib/upload.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import styles from './profile.module.css';

type Props = { orgId: OrgId | undefined; user: User; onChanged: (changed: Partial<User>) => void };

export function PictureField({ orgId, user, onChanged }: Props) {
  const [isAsking, setAsking] = useState(false);
  const { run } = useCall(drive.removePicture);
  const field = useRef<HTMLFieldSetElement>(null);
  const [chooseButton, setChooseButton] = useState<HTMLButtonElement | null>(null);
  const { pick, parts } = useImagePicker({
    title: text.cropPicture,
    shape: 'round',
    dropTarget: field,
    send: async (file, sending) => {
      await upload(drive.uploadPicture, { orgId, file, permission: `${UPLOAD_PERMISSION}` }, sending);
      onChanged(await call(profile.read, { orgId }));
      showAlert({ kind: 'success', text: text.pictureSaved });
    },
  });
  const remove = async () => {
    if (!(await run({ orgId }))) return false;
    onChanged({ profilePictureUrl: null });
    showAlert({ kind: 'success', text: text.pictureRemoved });
    return true;
  };
  return (
    <fieldset ref={field} className={styles.picture}>
      <legend className="visually-hidden">{text.picture}</legend>
      <Avatar size="large" name={user.fullName || user.email || ''} src={user.profilePictureUrl} />
      <div>
        <div className={styles.acts}>
          <Button ref={setChooseButton} size="small" icon={<Upload />} onClick={pick}>
            {user.profilePictureUrl ? text.changePicture : text.addPicture}
          </Button>
          {user.profilePictureUrl && (
            <Button
              kind="quiet"
              size="small"
              aria-label={text.removePictureName}
              onClick={() => setAsking(true)}
            >
              {text.removePicture}
            </Button>
          )}
        </div>
        <p className={styles.hint}>{text.pictureHint}</p>
      </div>
      {parts}
      {isAsking && (
        <LateConfirm
          onClose={() => setAsking(false)}
          title={text.removePictureTitle}
          act={text.removePictureName}
          destructive
          // The button that opened this disappears.
          after={chooseButton}
          onConfirm={remove}
        >
          {text.removePictureEffect}
        </LateConfirm>
      )}
    </fieldset>
  );
}
