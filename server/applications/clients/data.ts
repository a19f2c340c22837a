import type { ApplicationId } from '#contract/applications/registration.ts';
import { type ClientRow, clientRows } from '#server/db/application-rows.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

const clientOf = prepared((database, { clientId }: { readonly clientId: string }) =>
  clientRows(database).where('paused_at', 'is', null).where('client_id', '=', clientId),
);

/** A registered application by its client id; undefined while it is paused. */
export async function findClient(database: Db, clientId: string): Promise<ClientRow | undefined> {
  const [row] = await clientOf(database, { clientId });
  return row;
}

/** A registered application by its id, also while it is paused. */
export const findClientById = (database: Db, id: ApplicationId) =>
  clientRows(database).where('id', '=', id).executeTakeFirst();

type NewSecret = { readonly applicationId: ApplicationId; readonly hash: Buffer; readonly createdAt: Date };
export const insertSecret = (tx: Tx, { applicationId, hash, createdAt }: NewSecret) =>
  tx
    .insertInto('application_secrets')
    .values({ application_id: applicationId, secret_hash: hash, created_at: createdAt })
    .execute();

/** Ends the current secret at a moment, and an older one at once: an application has two secrets at most. */
export async function endSecrets(tx: Tx, applicationId: ApplicationId, endsAt: Date) {
  await tx
    .deleteFrom('application_secrets')
    .where('application_id', '=', applicationId)
    .where('ends_at', 'is not', null)
    .execute();
  await tx
    .updateTable('application_secrets')
    .set({ ends_at: endsAt })
    .where('application_id', '=', applicationId)
    .execute();
}
