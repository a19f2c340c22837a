import { type RefObject, useRef, useState } from 'react';
import { UPLOAD_TYPES } from '#contract/split-by-bytes/area-limits.ts';
import { UPLOAD_MAX_BYTES } from '#contract/limits.ts';
import { imagesText as text } from '#words/images.ts';
import { CallError } from '#web/lib/call.ts';
import { cropped, type Square } from '#web/lib/cropped.ts';
import type { UploadOptions } from '#web/lib/upload.ts';
import { useDrop } from '#web/lib/use-drop.ts';
import { present } from '#web/lib/failures.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { LinkButton } from './link-button.tsx';
import { latePopup } from './late.tsx';

const CropDialog = latePopup(async () => (await import('./crop-dialog.tsx')).CropDialog);

type Options = {
  title: string;
  shape?: 'round' | 'rect';
  /** Sends the cropped file. Throws CallError when it is refused. */
  send: (file: File, sending: UploadOptions) => Promise<void>;
  dropTarget?: RefObject<HTMLElement | null>;
};
type Props = Options & {
  label: string;
  name: string;
};

/** Sends only the cropped square. Render `parts` on the page, beside the control. */
export function useImagePicker({ title, shape, send, dropTarget }: Options) {
  const input = useRef<HTMLInputElement>(null);
  const [choice, setChoice] = useState<{ url: string; bitmap: ImageBitmap }>();
  const [percent, setPercent] = useState<number>();
  const sending = useRef<AbortController>(undefined);

  const openCrop = async (file: File) => {
    const image = await imageOf(file);
    if (typeof image === 'string') {
      showAlert({ kind: 'danger', text: image });
      return;
    }
    setChoice({ url: URL.createObjectURL(file), bitmap: image });
  };
  useDrop(dropTarget, (file) => void openCrop(file));
  const close = () => {
    // Stops the upload. If it has arrived whole, the server may have stored it.
    sending.current?.abort();
    sending.current = undefined;
    setPercent(undefined);
    if (choice) URL.revokeObjectURL(choice.url);
    setChoice(undefined);
  };
  const save = async (bitmap: ImageBitmap, square: Square) => {
    const upload = new AbortController();
    sending.current = upload;
    setPercent(0);
    try {
      await send(await cropped(bitmap, square), { onPercent: setPercent, signal: upload.signal });
      if (!upload.signal.aborted) close();
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      present(failure);
    } finally {
      if (sending.current === upload) setPercent(undefined);
    }
  };
  const parts = (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={UPLOAD_TYPES.join()}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Allows choosing the same file again.
          target.value = '';
          if (file) void openCrop(file);
        }}
      />
      {choice && (
        <CropDialog
          title={title}
          {...(shape && { shape })}
          image={choice.url}
          percent={percent}
          onSave={(square) => void save(choice.bitmap, square)}
          onClose={close}
        />
      )}
    </>
  );
  return { pick: () => input.current?.click(), parts };
}

export function ImagePicker({ label, name, ...use }: Props) {
  const { pick, parts } = useImagePicker(use);
  return (
    <>
      <LinkButton onClick={pick} aria-label={name}>
        {label}
      </LinkButton>
      {parts}
    </>
  );
}

async function imageOf(file: File): Promise<ImageBitmap | string> {
  const types: readonly string[] = UPLOAD_TYPES;
  if (!types.includes(file.type)) return text.notAnImage;
  if (file.size > UPLOAD_MAX_BYTES) return text.tooLarge;
  try {
    return await createImageBitmap(file);
  } catch {
    return text.notAnImage;
  }
}
