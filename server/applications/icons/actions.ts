import type { applicationIcons } from '#contract/applications/icons.ts';
import type { Image } from '#contract/drive/calls.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { changeIcon } from '#server/applications/clients/actions.ts';
import { findIcon } from '#server/applications/icons/data.ts';
import { own } from '#server/applications/own/actions.ts';
import type { Deps } from '#server/deps.ts';
import { storePicture } from '#server/drive/actions.ts';
import type { Sender } from '#server/images.ts';
import type { SuperAdmin } from '#server/registry/actions.ts';

/** Makes an upload the icon of an application, in place of the former one. */
export async function uploadApplicationIcon(
  deps: Deps,
  superAdmin: SuperAdmin,
  { applicationId, file }: Input<typeof applicationIcons.uploadApplicationIcon>,
  sender: Sender,
) {
  const icon = await storePicture(deps, await file.bytes(), sender);
  if (icon instanceof Refusal) return icon;
  return own.actOn(deps, superAdmin, applicationId, async (tx) => {
    const information = await changeIcon(tx, deps, applicationId, icon);
    const entry = await own.get(tx, deps, superAdmin, applicationId);
    return { entry, action: 'update', information, answer: entry };
  });
}

export async function readApplicationIcon(
  { sql, storage }: Deps,
  { fileId }: Input<typeof applicationIcons.applicationIcon>,
): Promise<Image | Refusal<'file_not_found'>> {
  const icon = await findIcon(sql, fileId);
  const bytes = icon && (await storage.get(fileId));
  return bytes ? { mediaType: icon.mediaType, bytes, isPublic: true } : refuse('file_not_found');
}
