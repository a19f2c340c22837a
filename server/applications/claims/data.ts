import { sql } from 'kysely';
import type { GrantId } from '#contract/applications/registration.ts';
import { type PersonRow, personRow } from '#server/applications/clients/data-rows.ts';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

const personOf = prepared(
  (_, { grantId }: { readonly grantId: GrantId | undefined }) => sql<PersonRow>`
    select person.* from application_grants allowed
    cross join lateral (${personRow(sql.ref('allowed.user_id'), sql.ref('allowed.org_id'))}) as person
    where allowed.id = ${grantId}`,
);

/** The person of a grant as its application may see them, with their role in the grant's organization. */
export async function findPerson(database: Db, grantId: GrantId | undefined): Promise<PersonRow | undefined> {
  const [row] = await personOf(database, { grantId });
  return row;
}
