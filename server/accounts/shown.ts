import type { Session } from '#contract/access/facts.ts';
import type { SessionId } from '#contract/wire.ts';
import type { Deps } from '#server/deps.ts';
import { servesAccount } from '#server/access/data.ts';

type Reader = Session & { readonly sessionId: SessionId };
/** Leaves out, before the account's proof, everything about the person that their company need not know. */
export const showTo = async <Person extends { readonly contactNumber: string }>(
  { sql }: Deps,
  reader: Reader,
  person: Person,
) =>
  (await servesAccount(sql, reader))
    ? person
    : { ...person, contactNumber: '', pendingEmail: null, isReduced: true };
