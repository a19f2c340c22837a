import { timingSafeEqual } from 'node:crypto';
import { logFor, type Details } from '#contract/activity/recorded.ts';
import { type FileId } from '#contract/split-by-bytes/area-wire.ts';
import type { Rank } from '#contract/members/authority.ts';
import type { drive, Image } from '#contract/drive/calls.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { IconType } from '#contract/organizations/calls.ts';
import { type OrgId, type UserId } from '#contract/wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { findOrganizations } from '#server/access/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import {
  deleteIcons,
  deletePicture,
  deleteShownIcon,
  deleteUnusedUploads,
  findIcon,
  findPicture,
  findPictureFor,
  insertIcon,
  insertPicture,
  showIcon,
} from './data.ts';
import type { Sender } from '#server/images.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { type Keys, mac, randomToken } from '#server/keys.ts';
import { adminUnderLock, type OrgCaller } from '#server/members/actions.ts';
import { readApplication } from '#server/organizations/actions.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';

/** The file is complete before its row is committed; the sweep deletes a file whose row failed. */
export async function storePicture({ images, storage }: Deps, bytes: Uint8Array, sender: Sender) {
  const picture = await images.square(bytes, sender);
  if (picture instanceof Refusal) return picture;
  const fileId = randomToken() as FileId;
  await storage.put(fileId, picture.bytes);
  return { fileId, mediaType: picture.mediaType };
}

/** Stores an icon that is not shown until an admin sets it. */
export async function uploadIcon(
  deps: Deps,
  scope: OrgCaller,
  input: Input<typeof drive.uploadIcon>,
  sender: Sender,
) {
  const picture = await storePicture(deps, await input.file.bytes(), sender);
  if (picture instanceof Refusal) return picture;
  const { fileId, mediaType } = picture;
  return transaction(deps.sql, async (tx) => {
    const admin = await adminUnderLock(tx, scope);
    if (admin instanceof Refusal) return admin;
    const slot = { orgId: scope.orgId, iconType: input.iconType };
    for (const old of await deleteUnusedUploads(tx, slot, scope.userId))
      await deleteLater(tx, deps, old.fileId);
    await insertIcon(tx, {
      file_id: fileId,
      org_id: scope.orgId,
      icon_type: input.iconType,
      media_type: mediaType,
      uploaded_by: scope.userId,
      created_at: deps.clock.now(),
    });
    await recordActivity(tx, deps, 'organization.applicationInformation.upload', {
      ...scope,
      recordId: scope.orgId,
      information: iconChange(input.iconType, null, fileId),
    });
    return { fileId };
  });
}

export const setIcon = (deps: Deps, scope: OrgCaller, input: Input<typeof drive.setIcon>) =>
  transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const { iconType, fileId } = input;
    const admin = await adminUnderLock(tx, scope);
    if (admin instanceof Refusal) return admin;
    const icon = await findIcon(tx, orgId, fileId);
    if (icon?.iconType !== iconType) return refuse('file_not_found');
    if (!icon.shownAt) {
      const old = await deleteShownIcon(tx, { orgId, iconType });
      if (old) await deleteLater(tx, deps, old.fileId);
      await showIcon(tx, fileId, deps.clock.now());
      await recordActivity(tx, deps, 'organization.applicationInformation.update', {
        ...scope,
        recordId: orgId,
        information: iconChange(iconType, old?.fileId ?? null, fileId),
      });
    }
    return readApplication(tx, deps, orgId);
  });

const iconChange = (iconType: IconType, before: FileId | null, after: FileId): Details =>
  iconType === 1 ? { app_dark_icon: [before, after] } : { app_light_icon: [before, after] };
/** Everybody may see an icon that is shown. Only the organization's admins may see another upload. */
export async function readIcon(
  deps: Deps,
  { orgId, fileId }: Input<typeof drive.icon>,
  viewer: { readonly rank: Rank } | null,
): Promise<Image | Refusal<'file_not_found'>> {
  const icon = await findIcon(deps.sql, orgId, fileId);
  const isAdmin = viewer !== null && viewer.rank !== 'member';
  if (!icon || (!icon.shownAt && !isAdmin)) return refuse('file_not_found');
  const bytes = await deps.storage.get(fileId);
  return bytes
    ? { mediaType: icon.mediaType, bytes, isPublic: icon.shownAt !== null }
    : refuse('file_not_found');
}

/** Deletes all icons of an organization: the rows now, the files after the commit. */
export async function deleteIconsOf(tx: Tx, deps: Deps, orgId: OrgId) {
  for (const { fileId } of await deleteIcons(tx, orgId)) await deleteLater(tx, deps, fileId);
}

type Self = { readonly userId: UserId; readonly orgId: OrgId | null };

export async function uploadPicture(
  deps: Deps,
  self: Self,
  input: Input<typeof drive.uploadPicture>,
  sender: Sender,
) {
  const stored = await storePicture(deps, await input.file.bytes(), sender);
  if (stored instanceof Refusal) return stored;
  const { fileId, mediaType } = stored;
  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    // Concurrent uploads are serialized by the account's lock. An erased account gets no picture.
    if (!(await lockAccount(tx, self.userId, now))) return refuse('not_signed_in');
    const old = await deleteCurrentPicture(tx, deps, self.userId);
    const picture = { file_id: fileId, user_id: self.userId, media_type: mediaType };
    await insertPicture(tx, { ...picture, created_at: now });
    await recordActivity(tx, deps, `${logFor(self.orgId)}.profileInformation.upload`, {
      ...self,
      recordId: self.userId,
      information: { profile_picture: [old ?? null, fileId] },
    });
    return { fileId };
  });
}

export const removePicture = (deps: Deps, self: Self) =>
  transaction(deps.sql, async (tx) => {
    const old = await deleteCurrentPicture(tx, deps, self.userId);
    if (!old) return refuse('file_not_found');
    await recordActivity(tx, deps, `${logFor(self.orgId)}.profileInformation.delete`, {
      ...self,
      recordId: self.userId,
      information: { profile_picture: [old, null] },
    });
    return {};
  });

export const deletePicturesOf = async (tx: Tx, deps: Deps, userId: UserId): Promise<void> =>
  void (await deleteCurrentPicture(tx, deps, userId));

async function deleteCurrentPicture(tx: Tx, deps: Deps, userId: UserId): Promise<FileId | undefined> {
  const old = await deletePicture(tx, userId);
  if (old) await deleteLater(tx, deps, old.fileId);
  return old?.fileId;
}

/** Only the person and people who may enter one of their organizations see the picture. For others it does not exist. */
export async function readPicture(
  deps: Deps,
  { fileId, orgId }: Input<typeof drive.picture>,
  viewer: SessionOwner,
): Promise<Image | Refusal<'file_not_found'>> {
  const { userId, sessionId } = viewer;
  const { open } = await findOrganizations(deps.sql, { sessionId, now: deps.clock.now() });
  const picture = await findPictureFor(deps.sql, fileId, { userId, open }, orgId);
  const bytes = picture && (await deps.storage.get(fileId));
  return bytes ? { mediaType: picture.mediaType, bytes, isPublic: false } : refuse('file_not_found');
}

const LINK_MS = HOUR_MS;
const proofOf = (key: Keys[number], fileId: FileId, until: string) =>
  mac(key.derive('picture-link'), `${fileId} ${until}`);

/** A link to a person's picture that serves for an hour without a session. */
export function linkPicture({ keys: [key], clock, config }: Deps, fileId: FileId): string {
  const until = String(fromNow(clock, LINK_MS).getTime());
  const url = new URL('/drive/picture', config.publicUrl);
  const proof = proofOf(key, fileId, until).toString('base64url');
  url.search = new URLSearchParams({ file_id: fileId, until, proof }).toString();
  return url.href;
}

export async function readLinkedPicture(
  deps: Deps,
  { fileId, until, proof }: Input<typeof drive.linkedPicture>,
): Promise<Image | Refusal<'file_not_found'>> {
  const proofBytes = Buffer.from(proof, 'base64url');
  const isOurs = deps.keys.some((key) => timingSafeEqual(proofOf(key, fileId, until), proofBytes));
  if (!isOurs || Number(until) <= deps.clock.now().getTime()) return refuse('file_not_found');
  const picture = await findPicture(deps.sql, fileId);
  const bytes = picture && (await deps.storage.get(fileId));
  return bytes
    ? { mediaType: picture.mediaType, bytes, isPublic: false, isForOtherSites: true }
    : refuse('file_not_found');
}

/** Deletes a file by a job, which runs after the commit and again until it succeeds. */
export const deleteLater = (tx: Tx, deps: Deps, fileId: FileId) =>
  enqueue(tx, deps, { kind: 'delete-image', payload: { fileId } });
