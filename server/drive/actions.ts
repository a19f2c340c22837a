import { ACTION, type ActionOf, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import type { drive, Image } from '#contract/drive.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { IconType, organizationSettings } from '#contract/organizations.ts';
import type { Rank } from '#contract/authority.ts';
import { type FileId, type OrgId, type UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteShown, deleteWaiting, findIcon, insertIcon, showIcon } from '#server/drive/data.ts';
import { enqueue } from '#server/jobs/jobs.ts';
import { randomToken } from '#server/keys.ts';
import { lockOrganization } from '#server/members/data.ts';
import { readApplication } from '#server/organizations/actions.ts';

type Scope = { readonly orgId: OrgId; readonly userId: UserId };

/**
 * Stores an icon that waits to be named. The file is whole and on the disk before its row is committed: what goes wrong
 * in between leaves a file without a row, which the sweep takes.
 */
export async function uploadIcon(deps: Deps, scope: Scope, input: Input<typeof drive.uploadIcon>) {
  const picture = await deps.images.square(new Uint8Array(await input.file.arrayBuffer()));
  if (picture instanceof Refusal) return picture;
  const fileId = randomToken() as FileId;
  await deps.storage.put(fileId, picture.bytes);
  return transaction(deps.sql, async (tx) => {
    const slot = { orgId: scope.orgId, iconType: input.iconType };
    for (const old of await deleteWaiting(tx, slot, scope.userId)) await deleteLater(tx, deps, old.fileId);
    await insertIcon(tx, {
      ...slot,
      fileId,
      mediaType: picture.mediaType,
      uploadedBy: scope.userId,
      createdAt: deps.clock.now(),
    });
    await record(tx, deps, scope, input.iconType, ACTION.upload, [null, fileId]);
    return { fileId };
  });
}

/** Shows an uploaded icon in the place it was uploaded for; the one before goes once that is certain. */
export const nameIcon = (deps: Deps, scope: Scope, input: Input<typeof organizationSettings.setIcon>) =>
  transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const { iconType, fileId } = input;
    await lockOrganization(tx, orgId);
    const icon = await findIcon(tx, orgId, fileId);
    if (icon?.iconType !== iconType) return refuse('file_not_found');
    if (!icon.shownAt) {
      const old = await deleteShown(tx, { orgId, iconType });
      if (old) await deleteLater(tx, deps, old.fileId);
      await showIcon(tx, fileId, deps.clock.now());
      await record(tx, deps, scope, iconType, ACTION.update, [old?.fileId ?? null, fileId]);
    }
    return readApplication(tx, deps, orgId);
  });

type Viewer = { readonly rank: Rank } | null;
/** An icon that is shown is everybody's to see; one that waits is only the organization's admins'. */
export async function readIcon(
  deps: Deps,
  { orgId, fileId }: Input<typeof drive.icon>,
  viewer: Viewer,
): Promise<Image | Refusal<'file_not_found'>> {
  const icon = await findIcon(deps.sql, orgId, fileId);
  const isAdmin = viewer !== null && viewer.rank !== 'member';
  if (!icon || (!icon.shownAt && !isAdmin)) return refuse('file_not_found');
  const bytes = await deps.storage.get(fileId);
  return bytes
    ? { mediaType: icon.mediaType, bytes, isPublic: icon.shownAt !== null }
    : refuse('file_not_found');
}

/** After the commit, and again until it is done. */
const deleteLater = (tx: Tx, deps: Deps, fileId: FileId) =>
  enqueue(tx, deps, { kind: 'delete-image', payload: { fileId } });

const record = (
  tx: Tx,
  deps: Deps,
  { orgId, userId }: Scope,
  iconType: IconType,
  action: ActionOf<'applicationInformation'>,
  change: [FileId | null, FileId],
) =>
  recordActivity(tx, deps, {
    orgId,
    userId,
    module: MODULE.organization,
    type: ACTIVITY_TYPE.applicationInformation,
    action,
    recordId: orgId,
    information: { [iconType === 1 ? 'app_dark_icon' : 'app_light_icon']: change },
  });
