import type { ApplicationId } from '#contract/applications/registration.ts';
import { insertSecret, replaceIcon, type StoredIcon } from '#server/applications/clients/data.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteLater } from '#server/drive/actions.ts';
import { randomToken, sha256 } from '#server/keys.ts';

/** A client id is public, so it only has to be unique. */
export const newClientId = () => `app-${randomToken().slice(0, 16)}`;

/** Gives an application a new secret and returns it; the database keeps only its hash. */
export async function addSecret(tx: Tx, { clock }: Pick<Deps, 'clock'>, applicationId: ApplicationId) {
  const secret = randomToken();
  await insertSecret(tx, { applicationId, hash: sha256(secret), createdAt: clock.now() });
  return secret;
}

/** Replaces or removes an application's icon; returns the change for the activity log. */
export async function changeIcon(tx: Tx, deps: Deps, id: ApplicationId, icon: StoredIcon | null) {
  const former = await replaceIcon(tx, id, icon, deps.clock.now());
  if (former) await deleteLater(tx, deps, former);
  return former || icon ? { icon: [former, icon?.fileId ?? null] } : {};
}
