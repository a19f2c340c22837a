import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ApplicationId } from '#contract/applications/registration.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hidden, prepared } from '#server/db/prepared.ts';

const clientRows = (database: Db) =>
  database
    .selectFrom('applications')
    .select(['id', 'client_id', 'name', 'kind', 'org_id', 'is_first_party', 'is_for_everyone'])
    .select(['redirect_urls', 'signed_out_urls', 'sign_out_url', 'signing_algorithm', 'public_keys', 'apis'])
    .select(['requires_par', 'requires_dpop'])
    .select((row) =>
      jsonArrayFrom(
        row
          .selectFrom('application_secrets')
          .select([
            sql<string>`encode(secret_hash, 'hex')`.as('hash'),
            sql<number | null>`extract(epoch from ends_at)::float8`.as('endsAt'),
          ])
          .whereRef('application_id', '=', 'applications.id')
          .orderBy('application_secrets.id', 'desc'),
      ).as('secrets'),
    );
const clientsOf = prepared((database, { clientIds }: { readonly clientIds: readonly string[] }) =>
  clientRows(database)
    .where('paused_at', 'is', null)
    .where('client_id', '=', sql<string>`any(${hidden(clientIds, 'text[]')})`),
);

/** Registered applications by their client ids, with their secrets; without those that are paused. */
export async function findClients(database: Db, clientIds: readonly string[]) {
  const rows = await clientsOf(database, { clientIds });
  return new Map(rows.map((row) => [row.client_id, row]));
}

/** A registered application by its client id; undefined while it is paused. */
export const findClient = async (database: Db, clientId: string) =>
  (await findClients(database, [clientId])).get(clientId);
export type ClientRow = NonNullable<Awaited<ReturnType<typeof findClient>>>;

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
