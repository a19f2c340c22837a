import { useEffect, useEffectEvent } from 'react';
import { applicationIcons } from '#contract/applications/icons.ts';
import type { OwnApplication } from '#contract/applications/own.ts';
import { UPLOAD_PERMISSION } from '#contract/limits.ts';
import { ownApplicationsText as text } from '#contract/text/own-applications.ts';
import { fill } from '#contract/text.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { type UploadOptions, upload } from '#web/lib/upload.ts';
import { useChanged } from '#web/registry/registry.ts';
import type { OwnProps } from '#web/registry/registry-page.tsx';
import { useImagePicker } from '#web/ui/image-picker.tsx';
import { registry } from './own-applications.ts';

/** Asks for a file at once, and makes it the icon of the application. */
export function OwnIconPicker({ orgId, entry }: OwnProps<OwnApplication>) {
  const refresh = useChanged(registry, orgId);
  const send = async (file: File, sending: UploadOptions) => {
    const permission = `${UPLOAD_PERMISSION}` as const;
    const input = { orgId, applicationId: entry.id, file, permission };
    const fresh = await upload(applicationIcons.uploadApplicationIcon, input, sending);
    await refresh(fresh);
    showAlert({ kind: 'success', text: text.iconSaved });
  };
  const { pick, parts } = useImagePicker({ title: fill(text.cropIcon, entry), send });
  const ask = useEffectEvent(pick);
  useEffect(() => ask(), []);
  return parts;
}
