import type { OrgId } from '#contract/wire.ts';

type Organization = {
  readonly id: OrgId;
  readonly urlName: string;
  readonly mayEnter: boolean;
  readonly needsSecondStep: boolean;
};
type Grant = { readonly orgId: OrgId | null; readonly isRemembered: boolean };

type Question = {
  /** The organization that owns the application. */
  readonly ownedBy: OrgId | null;
  /** The organization in the request, by its URL name. */
  readonly wantedName: string | undefined;
  /** The organization that the person chose on the page of this request. */
  readonly chosenId: OrgId | undefined;
  readonly asksForOrganization: boolean;
  /** The organization whose members may enter: 0 is any, null admits everybody. */
  readonly membersOf: OrgId | 0 | null;
  /** The organization of this session's last visit; null for a visit without one. */
  readonly lastOrgId: OrgId | null | undefined;
  readonly organizations: readonly Organization[];
  readonly grants: readonly Grant[];
};

/** The organization that a person enters an application for. */
export type Choice =
  | { readonly is: 'settled'; readonly orgId: OrgId | null }
  | { readonly is: 'open' }
  /** Closed until the person gives a second step. */
  | { readonly is: 'closed'; readonly orgId: OrgId }
  | { readonly is: 'outside' };

/** Chooses the organization of a visit. Another organization never replaces one that the request names. */
export function chooseOrganization(question: Question): Choice {
  const { wantedName, chosenId, lastOrgId, membersOf, organizations, grants } = question;
  const ownedBy = question.ownedBy ?? (membersOf || null);
  const settle = (one: Organization | undefined): Choice => {
    if (one?.mayEnter) return { is: 'settled', orgId: one.id };
    return one?.needsSecondStep ? { is: 'closed', orgId: one.id } : { is: 'outside' };
  };
  if (ownedBy !== null) return settle(organizations.find(({ id }) => id === ownedBy));
  if (wantedName !== undefined) return settle(organizations.find(({ urlName }) => urlName === wantedName));
  if (!question.asksForOrganization && membersOf === null) return { is: 'settled', orgId: null };
  if (chosenId !== undefined) return settle(organizations.find(({ id }) => id === chosenId));
  const lastGrant = grants.find(({ orgId }) => orgId === lastOrgId) ?? grants.find((one) => one.isRemembered);
  const possible = organizations.filter(({ mayEnter, needsSecondStep }) => mayEnter || needsSecondStep);
  const again = possible.find(({ id, mayEnter }) => id === lastGrant?.orgId && mayEnter);
  if (again) return settle(again);
  const [first, ...others] = possible;
  if (!first) return membersOf === null ? { is: 'settled', orgId: null } : { is: 'outside' };
  return others.length === 0 ? settle(first) : { is: 'open' };
}

type Asking = {
  readonly is_first_party: boolean;
  readonly org_id: OrgId | null;
  readonly applicationType: string;
};

/** Whether a person has to consent before an application gets the scopes that it does not have yet. */
export function needsConsent(client: Asking, missing: readonly string[]): boolean {
  // Another program can claim the address of an installed one, so it asks each time.
  if (client.applicationType === 'native') return true;
  if (client.is_first_party) return false;
  // An organization decides about what it holds itself: names, address and role, but no phone number.
  return client.org_id === null ? missing.length > 0 : missing.includes('phone');
}

/** The strength of a sign-in: 1 without, 2 with a second step (OpenID Connect Core 1.0, `acr`). */
export const ACR_VALUES = ['1', '2'] as const;
/** Whether the request prefers a sign-in with a second step. Values that Portico does not know do not count. */
export const prefersSecondStep = (acrValues = '') =>
  acrValues.split(' ').find((value) => ACR_VALUES.some((known) => known === value)) === '2';
export const acrOf = (secondStep: string | null) => (secondStep === null ? '1' : '2');

/** The proofs of a sign-in; `mfa` says that there were two (RFC 8176, section 2). */
export const amrOf = (methods: readonly string[], secondStep: string | null) => [
  ...methods,
  ...(secondStep === null ? [] : ['mfa']),
];
