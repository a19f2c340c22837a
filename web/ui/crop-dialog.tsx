import { useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { CROP_ASPECT_RATIO } from '#contract/limits.ts';
import { imagesText as text } from '#words/images.ts';
import { uiText } from '#words/ui.ts';
import { Button } from './button.tsx';
import styles from './crop-dialog.module.css';
import { Dialog } from './dialog.tsx';

interface CropDialogProps {
  title: string;
  image: string;
  /** Round for people, square for applications. The result is always square. */
  shape?: 'round' | 'rect';
  percent: number | undefined;
  onSave: (square: Area) => void;
  onClose: () => void;
}

const ZOOM_MAX = 4;

export function CropDialog({ title, image, shape = 'rect', percent, onSave, onClose }: CropDialogProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [square, setSquare] = useState<Area>();
  const busy = percent !== undefined;
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description={text.hint}
      form={{ onSubmit: () => square && !busy && onSave(square) }}
      footer={
        <>
          {busy && <output className={styles.progress}>{text.uploading({ percent })}</output>}
          <Button onClick={onClose}>{uiText.cancel}</Button>
          {/* The square is known only after the image has rendered. */}
          <Button kind="primary" type="submit" busy={busy} disabled={!square}>
            {text.save}
          </Button>
        </>
      }
    >
      <div className={styles.stage}>
        <Cropper
          image={image}
          crop={crop}
          zoom={zoom}
          maxZoom={ZOOM_MAX}
          aspect={CROP_ASPECT_RATIO}
          cropShape={shape}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setSquare(pixels)}
          cropperProps={{ role: 'group', 'aria-label': text.area, 'aria-roledescription': text.hint }}
          keyboardStep={8}
          // Our content policy forbids injected styles, so they come from a CSS file.
          disableAutomaticStylesInjection
        />
      </div>
      <label className={styles.zoom}>
        {text.zoom}
        <input
          type="range"
          min={1}
          max={ZOOM_MAX}
          step={0.05}
          value={zoom}
          onChange={({ target }) => setZoom(Number(target.value))}
        />
      </label>
    </Dialog>
  );
}
