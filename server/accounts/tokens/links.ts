import { refuse } from '#contract/errors.ts';
import { findToken, issueToken, type NewToken } from './data.ts';
import type { Tx } from '#server/db/connect.ts';
import type { TokenPurpose } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { type Mail, type WriteMail, queueMail } from '#server/mail/outbox.ts';

export async function getToken({ sql, clock }: Deps, purposes: readonly TokenPurpose[], digest: string) {
  const token = await findToken(sql, purposes, digest);
  if (!token || token.used_at) return refuse('digest_invalid');
  return token.expires_at <= clock.now() ? refuse('digest_expired') : token;
}

export async function mailLink(
  tx: Tx,
  deps: Deps,
  content: WriteMail,
  { language, ...token }: NewToken & Pick<Mail, 'language'>,
) {
  const { seed, expiresAt } = await issueToken(tx, deps, token);
  const to = { userId: token.userId, to: token.subject, language };
  await queueMail(tx, deps, { ...to, content, digest: seed, expiresAt });
}

const requestsOf = {
  'verify-email': ['confirmationRequestsHour'],
  'reset-password': ['resetRequestsHour', 'disclosureRefusedHour'],
  'restore-account': ['restoreRequestsHour'],
} as const;

/** Not earlier than the use of a link, because the rest of a budget would tell which addresses have accounts. */
export async function giveBackRequest(
  { limiter }: Pick<Deps, 'limiter'>,
  purpose: keyof typeof requestsOf,
  askedFrom: string | null,
) {
  if (askedFrom !== null)
    await limiter.giveBack(requestsOf[purpose].map((name) => [name, askedFrom] as const));
}
