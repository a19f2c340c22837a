import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { drive } from '#contract/drive.ts';
import { UPLOAD_PERMISSION } from '#contract/limits.ts';
import { profile } from '#contract/profile.ts';
import { profileText as text } from '#contract/text/profile.ts';
import type { User } from '#contract/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import { useImagePicker } from '#web/lib/image-picker.tsx';
import { upload } from '#web/lib/upload.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import styles from './profile.module.css';

type Props = { orgId: OrgId; user: User; onChanged: (user: User) => void };

/** The person's picture: chosen or dropped here, cropped, shown everywhere at once, and removed after a question. */
export function PictureField({ orgId, user, onChanged }: Props) {
  const [asksRemoval, askRemoval] = useState(false);
  const field = useRef<HTMLFieldSetElement>(null);
  const [choose, setChoose] = useState<HTMLButtonElement | null>(null);
  const removal = useCall(drive.removePicture);
  const { pick, parts } = useImagePicker({
    title: text.cropPicture,
    shape: 'round',
    place: field,
    send: async (file, onPercent) => {
      await upload(drive.uploadPicture, { orgId, file, permission: `${UPLOAD_PERMISSION}` }, onPercent);
      onChanged(await call(profile.read, { orgId }));
      showAlert({ kind: 'success', text: text.pictureSaved });
    },
  });
  const remove = async () => {
    if (!(await removal.run({ orgId }))) return false;
    onChanged({ ...user, profilePictureUrl: null });
    showAlert({ kind: 'success', text: text.pictureRemoved });
    return true;
  };
  return (
    <fieldset ref={field} className={styles.picture}>
      <legend className="visually-hidden">{text.picture}</legend>
      <Avatar size="large" name={user.fullName || user.email || ''} src={user.profilePictureUrl} />
      <div>
        <div className={styles.acts}>
          <Button ref={setChoose} size="small" icon={<Upload />} onClick={pick}>
            {user.profilePictureUrl ? text.changePicture : text.addPicture}
          </Button>
          {user.profilePictureUrl && (
            <Button
              kind="quiet"
              size="small"
              aria-label={text.removePictureName}
              onClick={() => askRemoval(true)}
            >
              {text.removePicture}
            </Button>
          )}
        </div>
        <p className={styles.hint}>{text.pictureHint}</p>
      </div>
      {parts}
      <Confirm
        open={asksRemoval}
        onClose={() => askRemoval(false)}
        title={text.removePictureTitle}
        act={text.removePictureName}
        destructive
        after={choose}
        onConfirm={remove}
      >
        {text.removePictureEffect}
      </Confirm>
    </fieldset>
  );
}
