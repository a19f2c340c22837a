import type { Refusal } from '#contract/errors.ts';
import { NAME_MAX_CHARACTERS } from '#contract/limits.ts';
import type { SocialFailure } from '#contract/text/social.ts';
import type { UserId } from '#contract/wire.ts';

/** A person as a provider vouches for them. */
export type Vouched = {
  /** The provider's own name of the person, for good; a mail address names nobody. */
  readonly subject: string;
  /** As it came, and only where the provider says that it checked it. */
  readonly verifiedEmail: unknown;
  readonly firstName: string;
  readonly lastName: string;
};

/** Reads what a provider answered, ID token claims or userinfo, field by field; undefined when it names nobody. */
export function vouchedBy(answer: unknown): Vouched | undefined {
  const claims = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  const subject = claims['sub'] ?? claims['id'];
  const named = Number.isSafeInteger(subject) ? String(subject) : subject;
  if (typeof named !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(named)) return undefined;
  const given = nameFrom(claims['given_name'] ?? claims['first_name']);
  const family = nameFrom(claims['family_name'] ?? claims['last_name']);
  return {
    subject: named,
    verifiedEmail: claims['email_verified'] === true ? claims['email'] : undefined,
    firstName: given || family ? given : nameFrom(claims['name']),
    lastName: family,
  };
}

/** A name as our own forms take it: no quotes, brackets or control characters; O'Neill keeps an apostrophe, the printed one. */
const nameFrom = (value: unknown): string =>
  typeof value === 'string'
    ? Array.from(
        value
          .slice(0, 4 * NAME_MAX_CHARACTERS)
          .normalize('NFC')
          .replaceAll("'", '’')
          .replace(/["<>\p{C}]+/gu, ' ')
          .trim(),
      )
        .slice(0, NAME_MAX_CHARACTERS)
        .join('')
        .trim()
    : '';

export type Situation = {
  /** Who was signed in when they left for the provider, and still is. */
  readonly linkTo: UserId | undefined;
  /** Whose account the identity opens already. */
  readonly owner: UserId | undefined;
  /** Who has the address that the provider vouches for, if it vouches for one. */
  readonly addressOf: 'nobody' | 'somebody' | 'somebody invited';
};

/**
 * What a return leads to (docs/security.md F6). Only the identity finds an account. An address never does: it may
 * only be a reason not to open a second one.
 */
export function courseOf({
  linkTo,
  owner,
  addressOf,
}: Situation):
  | 'sign in'
  | 'link'
  | 'create'
  | Extract<SocialFailure, 'accountExists' | 'invited' | 'linkedElsewhere'> {
  if (linkTo !== undefined) return owner === undefined || owner === linkTo ? 'link' : 'linkedElsewhere';
  if (owner !== undefined) return 'sign in';
  if (addressOf === 'nobody') return 'create';
  return addressOf === 'somebody' ? 'accountExists' : 'invited';
}

/** The words for what the gate of every sign-in refuses with. */
export function failureOf({
  name,
  detail,
}: Refusal<
  | 'account_is_disable'
  | 'account_not_confirmed'
  | 'too_many_requests'
  | 'email_id_exist'
  | 'invalid_credentials'
>): SocialFailure {
  if (name === 'account_is_disable') return detail.reason ?? 'deactivated';
  if (name === 'account_not_confirmed') return 'notConfirmed';
  // The identity opens the account no more: it was taken away while its owner was at the provider.
  if (name === 'invalid_credentials') return 'stale';
  return name === 'too_many_requests' ? 'tooMany' : 'accountExists';
}
