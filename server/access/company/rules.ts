import type { VisitFailure } from '#contract/company-sign-in/connections.ts';

/** The words of a company's provider about a person. */
export type Said = {
  /** The exact address that it names; null without one. */
  readonly address: string | null;
  /** Why the company may not vouch for this address: unverified, a guest's, or in none of its proven domains. */
  readonly failed: VisitFailure | undefined;
  /** Another account has proven the address. */
  readonly isOfAnother: boolean;
};
type Account = {
  /** The address that the account has proven. */
  readonly address: string | null;
  /** It is in a proven domain of the company. */
  readonly isOfCompany: boolean;
};

/** The link of an identity with the account: none, its own, or one that it made as a guest. */
export type LinkKind = 'none' | 'own' | 'guest';

/**
 * The effect of an identity of a company's provider on an account, or on nobody's yet: open it, add an entry to a session
 * of it, wait for its own proof, or become a new colleague. An account with another address is a guest's: the company
 * never opens it, so the provider's address matters only if it is somebody else's.
 */
export function vouch(
  { address, failed, isOfAnother }: Said,
  account: Account | undefined,
  link: LinkKind,
): 'opens' | 'adds' | 'waits' | 'creates' | { readonly failed: VisitFailure } {
  if (account && !account.isOfCompany) {
    if (link !== 'none') return 'adds';
    return isOfAnother ? { failed: 'linkedElsewhere' } : 'waits';
  }
  if (failed) return { failed };
  if (!account) return 'creates';
  // The address of a known subject may have changed.
  if (link === 'own') return 'opens';
  if (address !== account.address) return { failed: 'otherPerson' };
  return link === 'guest' ? 'opens' : 'waits';
}
