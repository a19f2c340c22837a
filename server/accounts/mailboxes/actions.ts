import { refuse, type Refusal } from '#contract/errors.ts';
import { mailboxText } from '#contract/text/mailboxes.ts';
import type { UserId } from '#contract/wire.ts';
import { findHolder } from '#server/accounts/addresses/data.ts';
import { mailboxOf } from '#server/accounts/mailboxes/rules.ts';
import type { Deps } from '#server/deps.ts';

type Counting = Pick<Deps, 'limiter'>;

/** Turns a limiter's refusal into one whose words are about the mailbox. */
export const mailboxFull = ({ detail }: Refusal<'too_many_requests'>) =>
  refuse('too_many_requests', { ...detail, details: mailboxText.full });

/**
 * The limits that count a mail to a possibly unproven address: one per mailbox and sender (a network or an
 * organization), one per mailbox.
 */
export function firstMail(email: string, by: string) {
  const mailbox = mailboxOf(email);
  return [
    ['firstMailsDay', `${by} ${mailbox}`],
    ['firstMailsToMailboxDay', mailbox],
  ] as const;
}

/** Counts a first mail. Call it outside the transaction, so that the count survives a rollback. */
export async function countFirstMail({ limiter }: Counting, email: string, by: string) {
  const spent = await limiter.takeInTurn(firstMail(email, by));
  return spent && mailboxFull(spent.refusal);
}

/**
 * Whether an answer may tell that an address has an account. Each such answer draws from a budget of the
 * caller's network and one of the whole site. When either is empty, answers turn neutral for everybody. Only
 * a network that keeps asking is refused. First mails that follow are counted in the same statement.
 */
export async function mayDisclose(deps: Deps, prefix: string, mails: ReturnType<typeof firstMail> | [] = []) {
  const budgets = [
    ['disclosureHour', prefix],
    ['disclosureSystemHour', 'all'],
  ] as const;
  const mayTell = deps.config.disclosure !== 'neutral';
  const counters = [['disclosureRefusedHour', prefix], ...(mayTell ? budgets : []), ...mails] as const;
  const spent = await deps.limiter.takeInTurn(counters);
  if (!spent) return mayTell;
  if (spent.empty === 'disclosureRefusedHour') return spent.refusal;
  return mails.some(([name]) => name === spent.empty) ? mailboxFull(spent.refusal) : false;
}

/**
 * Like `mayDisclose`, before a mail to an address that a caller gives. If the answer may tell that the
 * address is taken, no mail is sent and none is counted. If it may not, a taken address has the same limits
 * and costs the same work as a free one.
 */
export async function mayMailNew(deps: Deps, prefix: string, email: string, isTaken: boolean) {
  const isNeutral = deps.config.disclosure === 'neutral';
  const disclose = await mayDisclose(deps, prefix, isTaken && !isNeutral ? [] : firstMail(email, prefix));
  if (disclose !== false || isNeutral) return disclose;
  // The mails are not counted yet, because a disclosure budget was empty.
  return (await countFirstMail(deps, email, prefix)) ?? false;
}

/** Like `mayMailNew`, where only a proven address counts as taken. For any other, the mailbox decides. */
export const mayMailTo = async (deps: Deps, prefix: string, email: string) =>
  mayMailNew(deps, prefix, email, Boolean((await findHolder(deps.sql, email))?.confirmed_at));

const linkMails = {
  reset: ['resetMailsHour', 'resetMailsToAccountHour'],
  restore: ['restoreMailsHour', 'restoreMailsToAccountHour'],
} as const;

/**
 * Counts a mail with a link that anybody may request; returns false if no mail may go. Past the limits, one
 * mail still goes every ten minutes, because others may have used the limits up. So the owner always has a
 * valid link.
 */
export async function mayMailLink(
  { limiter }: Counting,
  link: keyof typeof linkMails,
  userId: UserId,
  by: string,
): Promise<boolean> {
  const [fromAsker, toAccount] = linkMails[link];
  const spent = await limiter.takeInTurn([
    [fromAsker, `${by} ${userId}`],
    [toAccount, String(userId)],
  ]);
  return !spent || !(await limiter.take('linkMailsTenMinutes', `${link} ${userId}`));
}
