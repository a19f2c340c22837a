import { Refusal, refuse } from '#contract/errors.ts';
import type { WAITING_MAILS } from '#contract/operator/people-acts.ts';
import { refusalText } from '#words/refusal.ts';
import { mailConfirmation } from '#server/accounts/actions.ts';
import { findPending } from '#server/accounts/addresses/data.ts';
import { type Account, findAccountById, lockAccount } from '#server/accounts/data.ts';
import { mailRestoreLink } from '#server/accounts/deletion/actions.ts';
import { firstMail } from '#server/accounts/mailboxes/limits.ts';
import type { Tx } from '#server/db/connect.ts';
import type { BucketName } from '#server/db/limiter.ts';
import type { Deps } from '#server/deps.ts';
import { mailPending } from '#server/members/joining/actions.ts';
import { listPending } from '#server/members/joining/data.ts';
import type { FoundPerson } from '#server/operator/data.ts';
import { no } from '#server/operator/lines.ts';
import type { Work } from '#server/operator/work.ts';
import { queueNewAddressMail } from '#server/profile/contact/actions.ts';
import { mailResetLink } from '#server/sign-in/recovery/actions.ts';

type Choice = { readonly mail: (typeof WAITING_MAILS)[number] };

/** The budgets of the person's own requests. Strangers have others, so that they cannot use these up. */
const budgets = {
  confirmation: 'confirmationMailsHour',
  reset: 'resetMailsHour',
  invitation: 'invitationMailsDay',
  restore: 'restoreMailsHour',
} as const satisfies Record<Choice['mail'], BucketName>;

/** Counts ahead of the transaction, so that a refusal counts as well. */
export async function countMailAgain(
  deps: Deps,
  { mail }: Choice,
  { id, email, confirmed_at: confirmedAt }: FoundPerson,
) {
  const to = confirmedAt ? undefined : (email ?? (await findPending(deps.sql, id))?.email);
  const spent = await deps.limiter.takeInTurn([
    [budgets[mail], `operators ${id}`],
    ...(to === undefined ? [] : firstMail(to, 'operators')),
  ]);
  if (!spent) return {};
  const { detail } = spent.refusal;
  const minutes = Math.ceil((detail.retryAfterSeconds ?? 0) / 60);
  const details = `They got as many as they may get for now. The next one may go in ${minutes} minutes.`;
  return new Refusal('too_many_requests', { ...detail, details });
}

const INVITATIONS_AT_ONCE = 5;
const nothing = (details: string) => no('no_changes', details);

type MailAgain = (tx: Tx, deps: Deps, account: Account) => Promise<unknown>;
/** Each mails a fresh link to where the former one went, or refuses if nothing waits. */
const mailsAgain: Record<Exclude<Choice['mail'], 'invitation'>, MailAgain> = {
  confirmation: async (tx, deps, { id, email, confirmed_at: confirmedAt }) => {
    if (email !== null && !confirmedAt) return mailConfirmation(tx, deps, id, email);
    if (await findPending(tx, id)) return queueNewAddressMail(tx, deps, id);
    return nothing('No address of this account waits for its confirmation.');
  },
  reset: async (tx, deps, account) =>
    account.email === null
      ? nothing('The account has no address for the link.')
      : mailResetLink(tx, deps, account, account.email),
  restore: async (tx, deps, account) =>
    account.deletion_due_at
      ? account.email === null
        ? nothing('The account has no address for the link: restore-account brings it back.')
        : mailRestoreLink(tx, deps, account, account.deletion_due_at)
      : nothing('This account does not wait for its erasure.'),
};

export async function resend({ tx, deps, on: { id }, record }: Work<FoundPerson>, { mail }: Choice) {
  const now = deps.clock.now();
  const known = await findAccountById(tx, id, now);
  if (!known) return refuse('user_not_found');
  if (mail !== 'restore' && known.deletion_due_at)
    return refuse('not_allowed', { details: refusalText.waitsForErasure });
  if (mail === 'invitation') {
    // It locks the organizations before the person.
    const newest = (await listPending(tx, id)).slice(-INVITATIONS_AT_ONCE);
    if (!(await mailPending(tx, deps, newest)))
      return nothing('No invitation of this person waits for an answer.');
  } else {
    const account = await lockAccount(tx, id, now);
    if (!account) return refuse('user_not_found');
    const refusal = await mailsAgain[mail](tx, deps, account);
    if (refusal instanceof Refusal) return refusal;
  }
  await record(id, { mail: [null, mail] });
  return { mail };
}
