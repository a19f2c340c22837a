import { ACTION, type ActionOf, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { type FileId } from '#contract/area-wire.ts';
import type { drive, Image } from '#contract/drive.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { IconType, organizationSettings } from '#contract/organizations.ts';
import type { Rank } from '#contract/authority.ts';
import { type OrgId, type UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { holdAccount } from '#server/accounts/data.ts';
import {
  deleteIcons,
  deletePicture,
  deleteShown,
  deleteWaiting,
  findIcon,
  findPictureFor,
  insertIcon,
  insertPicture,
  showIcon,
} from '#server/drive/data.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { randomToken } from '#server/keys.ts';
import { adminUnderLock } from '#server/members/actions.ts';
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
    const admin = await adminUnderLock(tx, scope);
    if (admin instanceof Refusal) return admin;
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
    const admin = await adminUnderLock(tx, scope);
    if (admin instanceof Refusal) return admin;
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

/** All icons of an organization that goes: their rows now, their files after the commit. */
export async function deleteIconsOf(tx: Tx, deps: Deps, orgId: OrgId) {
  for (const { fileId } of await deleteIcons(tx, orgId)) await deleteLater(tx, deps, fileId);
}

/** Somebody with a session, and the organization they do it in where they name one. */
type Self = { readonly userId: UserId; readonly orgId: OrgId | null };

/** Makes an upload the caller's picture; the one before goes once that is certain. */
export async function uploadPicture(deps: Deps, self: Self, input: Input<typeof drive.uploadPicture>) {
  const picture = await deps.images.square(new Uint8Array(await input.file.arrayBuffer()));
  if (picture instanceof Refusal) return picture;
  const fileId = randomToken() as FileId;
  // Whole and on the disk before its row, as an icon is.
  await deps.storage.put(fileId, picture.bytes);
  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    // Of two at once the second finds the first one's picture. Who was erased meanwhile has none.
    if (!(await holdAccount(tx, self.userId, now))) return refuse('not_signed_in');
    const old = await takePicture(tx, deps, self.userId);
    await insertPicture(tx, {
      fileId,
      userId: self.userId,
      mediaType: picture.mediaType,
      createdAt: now,
    });
    await recordPicture(tx, deps, self, ACTION.upload, [old ?? null, fileId]);
    return { fileId };
  });
}

/** Removes the caller's picture. */
export const removePicture = (deps: Deps, self: Self) =>
  transaction(deps.sql, async (tx) => {
    const old = await takePicture(tx, deps, self.userId);
    if (!old) return refuse('file_not_found');
    await recordPicture(tx, deps, self, ACTION.delete, [old, null]);
    return {};
  });

/** Takes all pictures of a person away, for when they are erased: the rows now, the files after the commit. */
export const deletePicturesOf = async (tx: Tx, deps: Deps, userId: UserId): Promise<void> =>
  void (await takePicture(tx, deps, userId));

async function takePicture(tx: Tx, deps: Deps, userId: UserId): Promise<FileId | undefined> {
  const old = await deletePicture(tx, userId);
  if (old) await deleteLater(tx, deps, old.fileId);
  return old?.fileId;
}

/** A person's picture, for themself and whoever shares an organization with them; to others it is not there. */
export async function readPicture(
  deps: Deps,
  { fileId, orgId }: Input<typeof drive.picture>,
  viewer: UserId,
): Promise<Image | Refusal<'file_not_found'>> {
  const picture = await findPictureFor(deps.sql, fileId, viewer, orgId);
  const bytes = picture && (await deps.storage.get(fileId));
  return bytes ? { mediaType: picture.mediaType, bytes, isPublic: false } : refuse('file_not_found');
}

const recordPicture = (
  tx: Tx,
  deps: Deps,
  { userId, orgId }: Self,
  action: ActionOf<'profileInformation'>,
  change: [FileId | null, FileId | null],
) =>
  recordActivity(tx, deps, {
    orgId,
    userId,
    module: MODULE.profile,
    type: ACTIVITY_TYPE.profileInformation,
    action,
    recordId: userId,
    information: { profile_picture: change },
  });

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
