import { countryOfZone } from '#contract/profile/countries.ts';
import type { VisitFailure } from '#contract/company-sign-in/connections.ts';
import { Refusal } from '#contract/errors.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { type LinkKind, vouch } from '#server/access/company/rules.ts';
import { createAccount } from '#server/accounts/actions.ts';
import { claimAddress, lockForAddress } from '#server/accounts/addresses/actions.ts';
import { findHolder } from '#server/accounts/addresses/data.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import { findDirectory } from './data.ts';
import { isOfCompany } from '#server/company-sign-in/data.ts';
import { type Address, membershipAfter } from './claims.ts';
import { letIn } from '#server/company-sign-in/join-requests/actions.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { languageNow } from '#server/language.ts';
import { findMember, lockOrganization } from '#server/members/data.ts';
import { acceptInvitation } from '#server/members/joining/actions.ts';
import { findRole } from '#server/members/standing/data.ts';

export type Names = { readonly firstName: string; readonly lastName: string };

/** Ends a visit and its transaction, which must write nothing. The problem is in the provider's words. */
export class VisitRefused extends Error {
  readonly outcome: VisitFailure;
  readonly problem: string;
  constructor(outcome: VisitFailure, problem = '') {
    super(outcome);
    this.outcome = outcome;
    this.problem = problem;
  }
}

/** The confirmed account that has the address. An unconfirmed one may be a stranger's, and loses it. */
export async function findProvenHolder(tx: Tx, email: string): Promise<UserId | undefined> {
  const holder = await findHolder(tx, email);
  return holder?.confirmed_at ? holder.id : undefined;
}

type Holder = {
  readonly id: UserId;
  readonly email: string | null;
  readonly confirmed_at: Date | null;
};
/** Asks `vouch` about an account as it is now. A refusal is thrown. */
export async function vouchFor(
  tx: Tx,
  orgId: OrgId,
  { email, failed }: Address,
  account: Holder | undefined,
  link: LinkKind,
) {
  const holder = email === null ? undefined : await findProvenHolder(tx, email);
  const own = account?.confirmed_at ? account.email : null;
  const course = vouch(
    { address: email, failed, isOfAnother: holder !== undefined && holder !== account?.id },
    account && { address: own, isOfCompany: await isOfCompany(tx, orgId, own) },
    link,
  );
  if (typeof course !== 'string') throw new VisitRefused(course.failed);
  return course;
}

/** Makes an account whose address the company vouches for. Invitations to the address pass to it. */
export async function createColleague(tx: Tx, deps: Deps, email: string, names: Names): Promise<UserId> {
  const now = deps.clock.now();
  const person = {
    first_name: names.firstName,
    last_name: names.lastName,
    email: null,
    created_at: now,
    country: countryOfZone(''),
    language: languageNow(),
  };
  const information = { email: [null, email] };
  const user = await createAccount(tx, deps, person, { information, termsVersion: undefined });
  if (user instanceof Refusal) throw new VisitRefused('linkedElsewhere');
  const claim = await lockForAddress(tx, user.id, email);
  if ((await claimAddress(tx, deps, claim, now)) instanceof Refusal) throw new VisitRefused('stale');
  return user.id;
}

type Newcomer = {
  readonly orgId: OrgId;
  readonly roleId: RoleId | null;
  /** The address that the company vouches for; without one its role makes nobody a member. */
  readonly email: string | null;
};
/** Makes the person a member if the rules of the connection say so. Locks the organization and the person. */
export async function settleMembership(
  tx: Tx,
  deps: Deps,
  userId: UserId,
  names: Names,
  { orgId, roleId, email }: Newcomer,
): Promise<void> {
  const organization = await lockOrganization(tx, orgId);
  if (!organization) throw new VisitRefused('stale');
  await lockUser(tx, userId);
  const member = await findMember(tx, orgId, userId);
  const directory = await findDirectory(tx, orgId, { email, memberId: member?.id });
  if (directory.isConnected && directory.hasDeactivated) throw new VisitRefused('inactiveInDirectory');
  const addsMembers = email !== null && !directory.isConnected && !directory.hasDeactivated;
  const role = roleId === null || !addsMembers ? undefined : await findRole(tx, orgId, roleId);
  const after = membershipAfter(member, role !== undefined);
  if (after === 'noMember' && directory.isConnected) throw new VisitRefused('notInDirectory');
  if (after === 'inactive' || after === 'noMember') throw new VisitRefused(after);
  if (after === 'accepts' && member && !(await acceptInvitation(tx, deps, member.id)))
    throw new VisitRefused('noMember');
  if (after !== 'joins' || !role) return;
  const newcomer = { userId, ...names, designation: '' };
  if (await letIn(tx, deps, orgId, newcomer, role, userId)) throw new VisitRefused('noSeat');
}
