import type { MemberId, UserId } from '#contract/wire.ts';
import { type Keys, mac } from './keys.ts';

// An id of a person reveals when they signed up, and is the same in every organization. So the id of an invited person
// would reveal whether they have an account. Until they join they get a stand-in: an id above 2^48, while those of
// people stay below 2^47.

export const INVITATIONS_FROM = 2 ** 48;
const HASHES_FROM = 2 ** 49;

export const invitedId = (id: MemberId) => (INVITATIONS_FROM + id) as UserId;

export const invitationOf = (id: UserId): MemberId | undefined =>
  id > INVITATIONS_FROM && id < HASHES_FROM ? ((id - INVITATIONS_FROM) as MemberId) : undefined;

/** The stand-in for a person who never joined, in one row of the log: it differs in every row. */
export const logStandIn = (keys: Keys, rowId: number, id: UserId) =>
  (HASHES_FROM + mac(keys[0].derive('activity-person'), `${rowId}:${id}`).readUIntBE(0, 6)) as UserId;
