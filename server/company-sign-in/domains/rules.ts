import type { Found } from '#contract/company-sign-in/domains.ts';
import { DOMAIN_MISSING_DAYS } from '#contract/limits.ts';
import { canonicalEmail, domainOf } from '#server/accounts/rules.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Draft-ietf-dnsop-domain-verification-techniques: a name and a value that only this service uses. */
export const recordName = (domain: string) => `_portico-challenge.${domain}`;
export const recordValue = (token: string) => `portico-domain=${token}`;
/** Where the record stands if a DNS provider adds the domain to a name that has it already. */
export const doubledName = (domain: string) => `${recordName(domain)}.${domain}`;

/** The domain that somebody typed or pasted: also an address, a web address, or the final dot of DNS. */
export function domainTyped(typed: string): string | undefined {
  const host = domainOf(typed)
    .replace(/^https?:\/\//i, '')
    .replace(/\.?(?:\/.*)?$/, '');
  return canonicalEmail(`x@${host}`)?.slice('x@'.length);
}

export type Records = readonly string[] | 'silent';
/** Compares the records at the name, and at the doubled name, with the token; `silent` if no name server answered. */
export function foundIn(records: Records, token: string, doubled: Records = []): Exclude<Found, 'taken'> {
  if (records === 'silent') return 'silent';
  const value = recordValue(token);
  if (records.some((record) => record.trim() === value)) return 'proven';
  if (records.some((record) => withoutQuotes(record) === value)) return 'quoted';
  if (doubled !== 'silent' && doubled.some((record) => withoutQuotes(record) === value)) return 'doubled';
  return records.length > 0 ? 'other' : 'missing';
}

const withoutQuotes = (record: string) => record.replace(/^[\s"'“”]+|[\s"'“”]+$/g, '');

type Known = { readonly provenTime: Date | null; readonly missingSince: Date | null };
/** Decides what a look at the records means for a proven domain. A silent name server means nothing. */
export function nextOf({ provenTime, missingSince }: Known, found: Found, now: Date) {
  if (found === 'silent' || found === 'taken' || provenTime === null) return 'nothing';
  if (found === 'proven') return missingSince === null ? 'nothing' : 'back';
  if (missingSince === null) return 'missed';
  return now.getTime() - missingSince.getTime() >= DOMAIN_MISSING_DAYS * DAY_MS ? 'lost' : 'nothing';
}
