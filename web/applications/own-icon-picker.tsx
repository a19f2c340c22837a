import { useEffect, useEffectEvent } from 'react';
import { applicationIcons } from '#contract/applications/icons.ts';
import type { OwnApplication } from '#contract/applications/own.ts';
import { UPLOAD_PERMISSION } from '#contract/limits.ts';
import { ownApplicationsText as text } from '#contract/text/own-applications.ts';
import { fill } from '#contract/text.ts';
import type { OrgId } from '#contract/wire.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { type UploadOptions, upload } from '#web/lib/upload.ts';
import { useImagePicker } from '#web/ui/image-picker.tsx';
import { useOwnChanged } from './own-query.ts';

type Props = { orgId: OrgId; application: OwnApplication; onClose: () => void };

/** Asks for a file at once, and makes it the icon of the application. */
export function OwnIconPicker({ orgId, application }: Props) {
  const refresh = useOwnChanged(orgId);
  const send = async (file: File, sending: UploadOptions) => {
    const permission = `${UPLOAD_PERMISSION}` as const;
    const input = { orgId, applicationId: application.id, file, permission };
    const fresh = await upload(applicationIcons.uploadApplicationIcon, input, sending);
    await refresh(fresh);
    showAlert({ kind: 'success', text: text.iconSaved });
  };
  const { pick, parts } = useImagePicker({ title: fill(text.cropIcon, application), send });
  const ask = useEffectEvent(pick);
  useEffect(() => ask(), []);
  return parts;
}
