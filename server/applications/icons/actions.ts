import { ACTION } from '#contract/activity.ts';
import type { applicationIcons } from '#contract/applications/icons.ts';
import type { FileId } from '#contract/area-wire.ts';
import type { Image } from '#contract/drive.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { findIcon, replaceIcon } from '#server/applications/icons/data.ts';
import { changing, getOwn, type Person, record, type Scope } from '#server/applications/own/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Sender } from '#server/images.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { randomToken } from '#server/keys.ts';

/**
 * Makes an upload the icon of an application, in place of the former one. Its file is complete before its row
 * is committed. A failure in between leaves a file without a row, which the sweep deletes.
 */
export async function uploadApplicationIcon(
  deps: Deps,
  scope: Scope,
  person: Person,
  { applicationId, file }: Input<typeof applicationIcons.uploadApplicationIcon>,
  sender: Sender,
) {
  const picture = await deps.images.square(await file.bytes(), sender);
  if (picture instanceof Refusal) return picture;
  const fileId = randomToken() as FileId;
  await deps.storage.put(fileId, picture.bytes);
  return changing(deps, scope, person, applicationId, async (tx) => {
    const createdAt = deps.clock.now();
    const former = await replaceIcon(tx, { applicationId, fileId, mediaType: picture.mediaType, createdAt });
    if (former) await enqueue(tx, deps, { kind: 'delete-image', payload: { fileId: former } });
    const application = await getOwn(tx, scope.orgId, applicationId);
    await record(tx, deps, scope, application, {
      action: ACTION.update,
      information: { icon: [former ?? null, fileId] },
    });
    return application;
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
