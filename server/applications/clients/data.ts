import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

const clientOf = prepared((database, { clientId }: { readonly clientId: string }) =>
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
    )
    .where('client_id', '=', clientId)
    .where('paused_at', 'is', null),
);

/** A registered application by its client id, with its secrets; undefined while it is paused. */
export async function findClient(database: Db, clientId: string) {
  const [row] = await clientOf(database, { clientId });
  return row;
}
export type ClientRow = NonNullable<Awaited<ReturnType<typeof findClient>>>;
