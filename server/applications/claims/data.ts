import type { OrgId, UserId } from '#contract/wire.ts';
import { type PersonRow, personRow } from '#server/applications/clients/data-rows.ts';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

type Visitor = { readonly userId: UserId; readonly orgId: OrgId | null };
const personOf = prepared((_, { userId, orgId }: Visitor) => personRow(userId, orgId));

/** A person as an application may see them, with their role in the organization of the visit. */
export async function findPerson(database: Db, visitor: Visitor): Promise<PersonRow | undefined> {
  const [row] = await personOf(database, visitor);
  return row;
}
