import { Refusal } from '#contract/errors.ts';
import { mailboxText } from '#words/rules/mailbox.ts';
import type { UserId } from '#contract/wire.ts';
import { findHolder } from '#server/accounts/addresses/data.ts';
import { mailboxOf } from './rules.ts';
import type { Deps } from '#server/deps.ts';

export const mailboxFull = ({ detail }: Refusal<'too_many_requests'>) =>
  new Refusal('too_many_requests', { ...detail, details: mailboxText.full });

/** One counter per mailbox and sender (a network or an organization), one per mailbox. */
export function firstMail(email: string, by: string) {
  const mailbox = mailboxOf(email);
  return [
    ['firstMailsDay', `${by} ${mailbox}`],
    ['firstMailsToMailboxDay', mailbox],
  ] as const;
}

/** Counts a first mail. Call it outside the transaction, so that the count survives a rollback. */
export async function countFirstMail({ limiter }: Pick<Deps, 'limiter'>, email: string, by: string) {
  const spent = await limiter.takeInTurn(firstMail(email, by));
  return spent && mailboxFull(spent.refusal);
}

/** Draws from a budget of the network and of the site; when one is empty, the answer is neutral. `mails` count along. */
export async function mayDisclose(
  deps: Deps,
  network: string,
  mails: ReturnType<typeof firstMail> | [] = [],
) {
  const budgets = [
    ['disclosureHour', network],
    ['disclosureSystemHour', 'all'],
  ] as const;
  const isNeutral = deps.config.disclosure === 'neutral';
  const counters = [['disclosureRefusedHour', network], ...(isNeutral ? [] : budgets), ...mails] as const;
  const spent = await deps.limiter.takeInTurn(counters);
  if (!spent) return !isNeutral;
  if (spent.empty === 'disclosureRefusedHour') return spent.refusal;
  return mails.some(([name]) => name === spent.empty) ? mailboxFull(spent.refusal) : false;
}

/** Before a mail to a new address. A disclosed one gets no mail; a taken one that stays secret costs the same work. */
export async function mayMailNew(deps: Deps, network: string, email: string, isTaken: boolean) {
  const isNeutral = deps.config.disclosure === 'neutral';
  const disclose = await mayDisclose(deps, network, isTaken && !isNeutral ? [] : firstMail(email, network));
  if (disclose !== false || isNeutral) return disclose;
  // The mails are not counted yet, because a disclosure budget was empty.
  return (await countFirstMail(deps, email, network)) ?? false;
}

/** Like `mayMailNew`, where only a proven address counts as taken. For any other, the mailbox decides. */
export const mayMailTo = async (deps: Deps, network: string, email: string) =>
  mayMailNew(deps, network, email, Boolean((await findHolder(deps.sql, email))?.confirmed_at));

const linkMails = {
  reset: ['resetMailsHour', 'resetMailsToAccountHour'],
  restore: ['restoreMailsHour', 'restoreMailsToAccountHour'],
} as const;

/** Beyond the limits, one mail is still sent every ten minutes, because strangers may have used them up. */
export async function mayMailLink(
  { limiter }: Pick<Deps, 'limiter'>,
  link: keyof typeof linkMails,
  userId: UserId,
  network: string,
): Promise<boolean> {
  const [perNetwork, perAccount] = linkMails[link];
  const spent = await limiter.takeInTurn([
    [perNetwork, `${network} ${userId}`],
    [perAccount, String(userId)],
  ]);
  return !spent || !(await limiter.take('linkMailsTenMinutes', `${link} ${userId}`));
}
