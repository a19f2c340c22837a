import type { ProviderKind } from '#contract/company-sign-in/connections.ts';

declare const URL: { new (text: string): { hostname: string; pathname: string; protocol: string } };

const ENTRA = 'login.microsoftonline.com';

/** Entra's `sub` differs by registration, so `oid` names its people. Google serves every company under one issuer. */
export function providerKindOf(issuer: string): ProviderKind {
  if (issuer === '') return 'other';
  const { hostname } = new URL(issuer);
  if (hostname === ENTRA) return 'entra';
  return hostname === 'accounts.google.com' ? 'google' : 'other';
}

/** Entra publishes these for every company at once, so their tokens name another issuer. */
export const servesEveryCompany = (issuer: string) =>
  providerKindOf(issuer) === 'entra' &&
  /^\/(common|organizations|consumers)\//.test(new URL(issuer).pathname);

/** The last days before a secret ends on which the Super Admins get a mail. */
const NOTICES = [60, 30, 7, 1];
const DAY_MS = 24 * 60 * 60 * 1000;

/** The notice that is due for a secret: the number of its days; undefined if none is, or it was sent. */
export function dueNotice(endsAt: Date, told: number | null, now: Date): number | undefined {
  const daysLeft = Math.ceil((endsAt.getTime() - now.getTime()) / DAY_MS);
  const due = NOTICES.findLast((days) => daysLeft <= days);
  return due !== undefined && (told === null || due < told) ? due : undefined;
}
