import type { Refusal } from '#contract/errors.ts';
import { NAME_MAX_CHARACTERS } from '#contract/limits.ts';
import type { socialText } from '#words/social.ts';
import type { UserId } from '#contract/wire.ts';
import { partsOfName } from '#contract/profile/whole-name.ts';

export type SocialFailure = keyof typeof socialText.failures;

export type Vouched = {
  /** The provider's permanent id of the person. It is never an address. */
  readonly subject: string;
  /** The address as received, if the provider has verified it. */
  readonly verifiedEmail: unknown;
  readonly firstName: string;
  readonly lastName: string;
};

/** A subject has up to 255 ASCII characters (OpenID Connect Core 1.0, 2); one of them may be a blank inside. */
export const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && /^(?! )[ -~]{1,255}(?<! )$/.test(value);

type Claims = Readonly<Record<string, unknown>>;
/** Reads ID token claims or a userinfo answer field by field. Undefined without a valid subject. */
export function vouchedBy(answer: unknown): Vouched | undefined {
  const claims = (typeof answer === 'object' && answer !== null ? answer : {}) as Claims;
  const subject = claims['sub'] ?? claims['id'];
  const subjectId = Number.isSafeInteger(subject) ? String(subject) : subject;
  if (!isSubject(subjectId)) return undefined;
  const givenName = nameFrom(claims['given_name'] ?? claims['first_name']);
  const familyName = nameFrom(claims['family_name'] ?? claims['last_name']);
  const names =
    givenName || familyName
      ? { firstName: givenName, lastName: familyName }
      : partsOfName(nameFrom(claims['name']));
  return {
    subject: subjectId,
    verifiedEmail: claims['email_verified'] === true ? claims['email'] : undefined,
    ...names,
  };
}

/** A name as our own forms accept it: no quotes, brackets or control characters, and a typographic apostrophe. */
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

/** Methods that contain a second step: several factors, or a key that asks for a fingerprint or PIN (RFC 8176). */
const STRONG_METHODS = ['mfa', 'hwk', 'swk', 'sc'];
/** Codes that are a second step beside another method. Alone they are a first one. */
const CODES = ['otp', 'sms', 'tel'];
/** Names of REFEDS and of the OpenID Foundation for a sign-in with several factors or a phishing-resistant key. */
const STRONG_CLASSES = ['https://refeds.org/profile/mfa', 'phr', 'phrh'];

export function saysSecondStep({ amr, acr }: Readonly<Record<string, unknown>> = {}): boolean {
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : [];
  const has = (names: readonly string[]) => names.some((name) => methods.includes(name));
  return (
    has(STRONG_METHODS) || (has(CODES) && has(['pwd', 'pin'])) || STRONG_CLASSES.some((name) => name === acr)
  );
}

export type Situation = {
  /** The person signed in both at the start of the visit and now. */
  readonly linkTo: UserId | undefined;
  /** The person signed in now. */
  readonly caller: UserId | undefined;
  /** The person whose account the identity opens. */
  readonly owner: UserId | undefined;
  /** The holder of the address that the provider vouches for, if any. */
  readonly addressOf: 'nobody' | 'somebody' | 'somebody invited';
};

/** Only the identity finds an account (docs/security.md F6). An address can only forbid a second account. */
export function courseOf({
  linkTo,
  caller,
  owner,
  addressOf,
}: Situation):
  | 'sign in'
  | 'stays'
  | 'link'
  | 'create'
  | Extract<SocialFailure, 'accountExists' | 'invited' | 'linkedElsewhere'> {
  if (linkTo !== undefined) return owner === undefined || owner === linkTo ? 'link' : 'linkedElsewhere';
  if (owner !== undefined) return owner === caller ? 'stays' : 'sign in';
  if (addressOf === 'nobody') return 'create';
  return addressOf === 'somebody' ? 'accountExists' : 'invited';
}

export function failureOf({
  name,
  detail,
}: Refusal<
  | 'account_is_disable'
  | 'account_not_confirmed'
  | 'company_sign_in_required'
  | 'too_many_requests'
  | 'email_id_exist'
  | 'invalid_credentials'
>): SocialFailure {
  if (name === 'account_is_disable') return detail.reason ?? 'deactivated';
  if (name === 'account_not_confirmed') return 'notConfirmed';
  if (name === 'company_sign_in_required') return 'ofCompany';
  // The identity was removed while its person was at the provider.
  if (name === 'invalid_credentials') return 'stale';
  return name === 'too_many_requests' ? 'tooMany' : 'accountExists';
}
