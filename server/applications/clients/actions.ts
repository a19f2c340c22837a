import type { ApplicationId } from '#contract/applications/registration.ts';
import {
  endSecrets,
  insertApplication,
  insertSecret,
  replaceIcon,
  type StoredIcon,
} from '#server/applications/clients/data.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteLater } from '#server/drive/actions.ts';
import { randomToken, sha256 } from '#server/keys.ts';

type NewClient = Omit<Parameters<typeof insertApplication>[1], 'client_id' | 'created_at'>;
/** Registers an application. Its client id is public, so it only has to be unique. */
export const addClient = (tx: Tx, { clock }: Pick<Deps, 'clock'>, application: NewClient) =>
  insertApplication(tx, {
    ...application,
    client_id: `app-${randomToken().slice(0, 16)}`,
    created_at: clock.now(),
  });

/** Gives an application a new secret and returns it; the database keeps only its hash. */
export async function addSecret(tx: Tx, { clock }: Pick<Deps, 'clock'>, applicationId: ApplicationId) {
  const secret = randomToken();
  await insertSecret(tx, { applicationId, hash: sha256(secret), createdAt: clock.now() });
  return secret;
}

/** Replaces the secret; the current one stays valid until `formerEnd`. */
export async function renewSecret(tx: Tx, deps: Pick<Deps, 'clock'>, id: ApplicationId, formerEnd: Date) {
  await endSecrets(tx, id, formerEnd);
  return addSecret(tx, deps, id);
}

/** Replaces or removes an application's icon; returns the change for the activity log. */
export async function changeIcon(tx: Tx, deps: Deps, id: ApplicationId, icon: StoredIcon | null) {
  const former = await replaceIcon(tx, id, icon, deps.clock.now());
  if (former) await deleteLater(tx, deps, former);
  return former || icon ? { icon: [former, icon?.fileId ?? null] } : {};
}
