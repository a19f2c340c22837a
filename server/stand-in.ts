import type { MemberId, UserId } from '#contract/wire.ts';
import { type Keys, mac } from '#server/keys.ts';

// Ids of people differ in age, and a person's id is the same everywhere. Either would tell which invited addresses have
// an account. An invited person therefore goes by another id, above those of all people, which stay below 2^47.

const INVITATIONS_FROM = 2 ** 48;
const HASHES_FROM = 2 ** 49;

/** The id of an invited person until they join: it names their invitation. */
export const invitedId = (id: MemberId) => (INVITATIONS_FROM + id) as UserId;

/** The invitation that such an id names; undefined for the id of a person. */
export const invitationOf = (id: UserId): MemberId | undefined =>
  id > INVITATIONS_FROM && id < HASHES_FROM ? ((id - INVITATIONS_FROM) as MemberId) : undefined;

/** The id of a person who never joined, in one row of an organization's log. No two rows tell the same person. */
export const hashedId = (keys: Keys, rowId: number, id: UserId) =>
  (HASHES_FROM + mac(keys[0].derive('activity-person'), `${rowId}:${id}`).readUIntBE(0, 6)) as UserId;
