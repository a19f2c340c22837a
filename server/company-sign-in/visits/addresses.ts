import { Refusal } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { claimAddress, lockForAddress } from '#server/accounts/addresses/actions.ts';
import { type Account, findUser } from '#server/accounts/data.ts';
import { leaveAddress } from '#server/company-sign-in/addresses.ts';
import type { Connection } from '#server/company-sign-in/connections/data.ts';
import { isOfCompany } from '#server/company-sign-in/data.ts';
import type { Address } from './claims.ts';
import { findDirectory } from './data.ts';
import { findProvenHolder, VisitRefused } from './people.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

type Arrival = { readonly connection: Connection; readonly address: Address };
/**
 * The claim on a free address by which the company knows a linked person now, if it is another one than the account's. A
 * directory decides the addresses where there is one. Call it first: organizations are locked before people everywhere.
 */
export async function claimNewAddress(
  tx: Tx,
  { connection: { orgId }, address: { email, failed } }: Arrival,
  userId: UserId,
) {
  const former = (await findUser(tx, userId))?.email ?? null;
  if (failed || email === null || email === former || !(await isOfCompany(tx, orgId, former)))
    return undefined;
  if ((await findProvenHolder(tx, email)) !== undefined) return undefined;
  return (await findDirectory(tx, orgId)).isConnected ? undefined : lockForAddress(tx, userId, email);
}

/** Moves the account to the claimed address. The company vouches for both. */
export async function moveAddress(
  tx: Tx,
  deps: Deps,
  { organization }: Connection,
  account: Account,
  claim: Awaited<ReturnType<typeof lockForAddress>>,
): Promise<Account> {
  const { id: userId, email: former } = account;
  const { email } = claim;
  const now = deps.clock.now();
  if (former === null || (await claimAddress(tx, deps, claim, now)) instanceof Refusal)
    throw new VisitRefused('stale');
  await leaveAddress(tx, deps, { userId, former, email, organization });
  return { ...account, email, confirmed_at: now };
}
