import type { ApplicationId } from '#contract/applications/registration.ts';
import { Refusal } from '#contract/errors.ts';
import type { FileId } from '#contract/area-wire.ts';
import { insertSecret, replaceIcon, type StoredIcon } from '#server/applications/clients/data.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Sender } from '#server/images.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { randomToken, sha256 } from '#server/keys.ts';

/** A client id is public, so it only has to be unique. */
export const newClientId = () => `app-${randomToken().slice(0, 16)}`;

/** Gives an application a new secret and returns it; the database keeps only its hash. */
export async function addSecret(tx: Tx, { clock }: Pick<Deps, 'clock'>, applicationId: ApplicationId) {
  const secret = randomToken();
  await insertSecret(tx, { applicationId, hash: sha256(secret), createdAt: clock.now() });
  return secret;
}

/**
 * Redraws a picture and stores it. Its file is complete before its row is committed. A failure in between leaves a
 * file without a row, which the sweep deletes.
 */
export async function storeIcon({ images, storage }: Deps, bytes: Uint8Array, sender: Sender) {
  const picture = await images.square(bytes, sender);
  if (picture instanceof Refusal) return picture;
  const fileId = randomToken() as FileId;
  await storage.put(fileId, picture.bytes);
  return { fileId, mediaType: picture.mediaType };
}

/** Gives an application another icon, or none; returns what changes, for the activity log. */
export async function changeIcon(tx: Tx, deps: Deps, id: ApplicationId, icon: StoredIcon | null) {
  const former = await replaceIcon(tx, id, icon, deps.clock.now());
  if (former) await enqueue(tx, deps, { kind: 'delete-image', payload: { fileId: former } });
  return former || icon ? { icon: [former, icon?.fileId ?? null] } : {};
}
