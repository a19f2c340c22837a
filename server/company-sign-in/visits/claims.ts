import * as z from 'zod/mini';
import { email as emailField } from '#contract/fields.ts';
import type { ProviderKind, VisitFailure } from '#contract/company-sign-in/connections.ts';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import { SECOND_MS } from '#server/clock.ts';
import { canonicalEmail, domainOf } from '#server/accounts/rules.ts';
import { isSubject } from '#server/social/rules.ts';

type Claims = Readonly<Record<string, unknown>>;
/** The claims of the signed ID token, and of the userinfo endpoint if it was asked. */
export type Answer = { readonly signed: Claims; readonly more?: unknown; readonly idToken?: string };

/** The subject names the person at the provider for ever; it is never an address. */
export function subjectIn(kind: ProviderKind, { signed }: Answer): string | undefined {
  const subject = signed[kind === 'entra' ? 'oid' : 'sub'];
  return isSubject(subject) ? subject : undefined;
}

/** A longer address would not reach the provider. */
const HINT_MAX = 4000;
/** The ID token that names the person at the provider's sign-out. */
export const hintIn = ({ idToken = '' }: Answer) =>
  idToken !== '' && idToken.length <= HINT_MAX ? idToken : null;

/** The provider's id of its own session, if it gives one that can be stored. */
export const sidIn = ({ sid }: Claims): string | null => (isSubject(sid) ? sid : null);

/** Clocks differ by seconds. */
export const CLOCK_DIFFERENCE_SECONDS = 30;
/** Whether the person signed in at the provider during a visit. Without the time, nobody knows. */
export function isFresh(
  { auth_time: time }: Claims,
  { start, end }: { readonly start: Date; readonly end: Date },
) {
  const [from, to] = [start, end].map((moment) => Math.floor(moment.getTime() / SECOND_MS));
  return (
    typeof time === 'number' &&
    time >= Number(from) - CLOCK_DIFFERENCE_SECONDS &&
    time <= Number(to) + CLOCK_DIFFERENCE_SECONDS
  );
}

const isNo = (value: unknown) =>
  value === false || value === 0 || (typeof value === 'string' && /^(false|no|0)$/i.test(value));

/** People may paste an address in other forms, but a provider vouches only for the exact mailbox it names. */
function exactAddress(typed: unknown): string | undefined {
  const parsed = z.safeParse(emailField, typed);
  const isExact = parsed.success && parsed.data === String(typed).normalize('NFC').trim();
  return isExact ? canonicalEmail(parsed.data) : undefined;
}

/** The exact address that a provider names; `failed` says why its company may not vouch for it. */
export type Address = { readonly email: string | null; readonly failed?: VisitFailure };
/** A company vouches for its own addresses: of a member of its directory, in exactly a proven domain. */
export function addressIn(kind: ProviderKind, { signed, more }: Answer, domains: readonly string[]): Address {
  // Only the answer that gives the address says whether it is verified.
  const answer =
    signed['email'] === undefined && typeof more === 'object' && more ? (more as Claims) : signed;
  const typed = answer['email'];
  const email = exactAddress(typed);
  if (email === undefined) return { email: null, failed: 'noAddress' };
  if (isNo(answer['email_verified']) || isNo(answer['xms_edov'])) return { email, failed: 'unverified' };
  if (signed['acct'] === 1 || signed['acct'] === '1') return { email, failed: 'guest' };
  const domain = domainOf(email);
  if (kind === 'google' && providerText(signed['hd']).toLowerCase() !== domain)
    return { email, failed: 'otherCompany' };
  return domains.includes(domain) ? { email } : { email, failed: 'otherDomain' };
}

type Membership = { readonly status: MemberStatus } | undefined;
/** Decides about the membership: it stays, the invitation is accepted, a new one begins; or why the visit is refused. */
export function membershipAfter(member: Membership, hasRole: boolean) {
  if (member?.status === MEMBER_STATUS.active) return 'stays';
  if (member?.status === MEMBER_STATUS.invited) return 'accepts';
  if (member) return 'inactive';
  return hasRole ? 'joins' : 'noMember';
}

const SHOWN = new Set(
  'iss sub oid tid aud email email_verified xms_edov acct hd name given_name family_name amr acr auth_time sid'.split(
    ' ',
  ),
);
const TEXT_MAX = 300;
/** Text of a provider, for Super Admins only. */
export const providerText = (text: unknown): string =>
  typeof text === 'string'
    ? Array.from(text.slice(0, 2 * TEXT_MAX).replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '))
        .slice(0, TEXT_MAX)
        .join('')
    : '';

/** The claims of a test, as text. */
export const shownClaims = ({ signed, more }: Answer) =>
  Object.entries({ ...(typeof more === 'object' ? more : {}), ...signed })
    .filter(([name]) => SHOWN.has(name))
    .map(([name, value]) => ({
      name,
      value: providerText(typeof value === 'string' ? value : JSON.stringify(value)),
    }));

/** The provider's words of an error in its answer, or in the address that it leads back to. */
export const wordsOf = (error: unknown, description: unknown) =>
  [error, description].map(providerText).filter(Boolean).join(': ');

export type Problem = { readonly outcome: VisitFailure; readonly problem: string };
/** The problem that an error in the address of a return means. A refusal has words; without them the person has gone back. */
export function refusalOf(error: string, description: string | null): Problem {
  const problem = wordsOf(error, description);
  if (error === 'access_denied' && !description) return { outcome: 'cancelled', problem };
  const isNotLetIn = error === 'access_denied' || description?.includes('AADSTS50105');
  if (isNotLetIn) return { outcome: 'notLetIn', problem };
  const isDown = error === 'server_error' || error === 'temporarily_unavailable';
  return { outcome: isDown ? 'noAnswer' : 'refusedByProvider', problem };
}

/** Codes of our libraries that name what a Super Admin can mend. */
const MEANINGS: Readonly<Record<string, VisitFailure>> = {
  NO_SECRET_WAY: 'wrongSecretWay',
  NO_DOCUMENT: 'noDocument',
  OTHER_ISSUER: 'otherIssuer',
  ANSWER_TOO_LARGE: 'tooLarge',
  ERR_JWKS_NO_MATCHING_KEY: 'wrongKey',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'wrongKey',
  ERR_JWKS_INVALID: 'wrongKey',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'wrongKey',
  ERR_JOSE_NOT_SUPPORTED: 'wrongAlgorithm',
  OAUTH_UNSUPPORTED_OPERATION: 'wrongAlgorithm',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'wrongClock',
};

type Fields = Readonly<Record<string, unknown>>;
function* causesOf(error: unknown): Generator<Fields> {
  for (let at = error; typeof at === 'object' && at !== null; at = (at as Fields)['cause'])
    yield at as Fields;
}

/** Why a conversation with a provider failed, and the provider's own words, or the issuer that it names. */
export function problemOf(error: unknown): Problem {
  const causes = [...causesOf(error)];
  const { code, detail } = causes[0] ?? {};
  if (code === 'CLIENT_REFUSED') {
    const answers = (causes[1] as unknown as readonly Fields[]).map(refusedBy);
    return {
      outcome: 'wrongSecret',
      problem: providerText([...new Set(answers)].filter(Boolean).join(' / ')),
    };
  }
  const answer = causes.find(({ error: said }) => typeof said === 'string');
  if (answer) return refusalIn(answer);
  const response = causes.find((one) => one instanceof Response);
  if (response && (response.status >= 500 || response.status === 429))
    return { outcome: 'noAnswer', problem: `HTTP ${response.status}` };
  const claimed = causes.find(({ claim }) => claim === 'iss');
  if (claimed) return { outcome: 'otherIssuer', problem: providerText((claimed['claims'] as Fields)['iss']) };
  if (causes.some(({ header }) => header !== undefined)) return { outcome: 'wrongAlgorithm', problem: '' };
  const meant = causes.map((one) => MEANINGS[String(one['code'])]).find(Boolean);
  if (meant) return { outcome: meant, problem: providerText(detail) };
  const inner = causes[1] ?? {};
  const isSilent =
    error instanceof Error &&
    (/timeout|timed out|no answer|fetch failed|ended/i.test(error.message) ||
      /Timeout|Abort/.test(error.name));
  const reason =
    providerText('code' in inner ? inner['code'] : code) || providerText((error as Error).message);
  const isUnreachable = isSilent || /^(E[A-Z]+|ADDRESS_NOT_PUBLIC|UND_ERR\w*|ERR_JWKS_TIMEOUT)$/.test(reason);
  return { outcome: isUnreachable ? 'noAnswer' : 'wrongAnswer', problem: reason };
}

const refusedBy = ({ error, error_description: words, cause }: Fields) =>
  wordsOf(error, words) || (cause instanceof Response ? `HTTP ${cause.status}` : '');

function refusalIn({ error, error_description: words }: Fields): Problem {
  const description = typeof words === 'string' ? words : null;
  const { outcome, problem } = refusalOf(String(error), description);
  // Nobody is at the provider any more who could cancel.
  return { outcome: outcome === 'cancelled' ? 'refusedByProvider' : outcome, problem };
}
