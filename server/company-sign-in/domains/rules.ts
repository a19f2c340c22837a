import type { Found } from '#contract/company-sign-in/domains.ts';
import { DOMAIN_MISSING_DAYS } from '#contract/limits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Draft-ietf-dnsop-domain-verification-techniques: a name and a value that only this service uses. */
export const recordName = (domain: string) => `_portico-challenge.${domain}`;
export const recordValue = (token: string) => `portico-domain=${token}`;

/** Compares the records at the name with the token; `silent` if no name server answered. */
export function foundIn(records: readonly string[] | 'silent', token: string): Exclude<Found, 'taken'> {
  if (records === 'silent') return 'silent';
  if (records.some((record) => record.trim() === recordValue(token))) return 'proven';
  return records.length > 0 ? 'other' : 'missing';
}

type Known = { readonly provenTime: Date | null; readonly missingSince: Date | null };
/** Decides what a look at the records means for a proven domain. A silent name server means nothing. */
export function nextOf({ provenTime, missingSince }: Known, found: Found, now: Date) {
  if (found === 'silent' || found === 'taken' || provenTime === null) return 'nothing';
  if (found === 'proven') return missingSince === null ? 'nothing' : 'back';
  if (missingSince === null) return 'missed';
  return now.getTime() - missingSince.getTime() >= DOMAIN_MISSING_DAYS * DAY_MS ? 'lost' : 'nothing';
}
