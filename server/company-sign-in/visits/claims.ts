import * as z from 'zod/mini';
import { email as emailField } from '#contract/fields.ts';
import type { ProviderKind, VisitFailure } from '#contract/company-sign-in/connections.ts';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import { SECOND_MS } from '#server/clock.ts';
import { canonicalEmail, domainOf } from '#server/accounts/rules.ts';

type Claims = Readonly<Record<string, unknown>>;
/** The claims of the signed ID token, and of the userinfo endpoint if it was asked. */
export type Answer = { readonly signed: Claims; readonly more?: unknown };

/** The subject names the person at the provider for ever; it is never an address. */
export function subjectIn(kind: ProviderKind, { signed }: Answer): string | undefined {
  const subject = signed[kind === 'entra' ? 'oid' : 'sub'];
  return typeof subject === 'string' && /^[\x21-\x7e]{1,255}$/.test(subject) ? subject : undefined;
}

/** The provider's id of its own session, if it gives one that can be stored. */
export const sidIn = ({ sid }: Claims): string | null =>
  typeof sid === 'string' && /^[\x21-\x7e]{1,255}$/.test(sid) ? sid : null;

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

export type Address = { readonly email: string } | { readonly failed: VisitFailure };
/** The address that a company may vouch for: its own, of a member of its directory, in exactly a proven domain. */
export function addressIn(kind: ProviderKind, { signed, more }: Answer, domains: readonly string[]): Address {
  // Only the answer that gives the address says whether it is verified.
  const answer =
    signed['email'] === undefined && typeof more === 'object' && more ? (more as Claims) : signed;
  const typed = answer['email'];
  const email = exactAddress(typed);
  if (email === undefined) return { failed: 'noAddress' };
  if (isNo(answer['email_verified']) || isNo(answer['xms_edov'])) return { failed: 'unverified' };
  if (signed['acct'] === 1 || signed['acct'] === '1') return { failed: 'guest' };
  const domain = domainOf(email);
  if (kind === 'google' && providerText(signed['hd']).toLowerCase() !== domain)
    return { failed: 'otherCompany' };
  return domains.includes(domain) ? { email } : { failed: 'otherDomain' };
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

/** Why a conversation with a provider failed, by the error's codes, and the provider's own words. */
export function problemOf(error: unknown): { outcome: VisitFailure; problem: string } {
  const { error: code, error_description: words, code: kind, cause } = error as Record<string, unknown>;
  const problem = [code, words].map(providerText).filter(Boolean).join(': ');
  if (code === 'invalid_client' || code === 'unauthorized_client') return { outcome: 'wrongSecret', problem };
  if (typeof code === 'string') return { outcome: 'refusedByProvider', problem };
  const inner = typeof cause === 'object' && cause !== null ? cause : {};
  const isSilent =
    error instanceof Error &&
    (/timeout|timed out|no answer|fetch failed|ended/i.test(error.message) ||
      /Timeout|Abort/.test(error.name));
  const reason = providerText('code' in inner ? inner.code : kind) || providerText((error as Error).message);
  const isUnreachable = isSilent || /^(E[A-Z]+|ADDRESS_NOT_PUBLIC|UND_ERR\w*)$/.test(reason);
  return { outcome: isUnreachable ? 'noAnswer' : 'wrongAnswer', problem: reason };
}
