import type { UserId } from '#contract/wire.ts';
import { companyMailText } from '#words/company-mail.ts';
import { recordContact } from '#server/accounts/addresses/actions.ts';
import { deletePending } from '#server/accounts/addresses/data.ts';
import { voidTokensTo } from '#server/accounts/tokens/data.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { mailOf } from '#server/mail/frame.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';

type Move = {
  readonly userId: UserId;
  readonly former: string;
  readonly email: string;
  readonly organization: string;
};
/** After a company has moved an account to another of its addresses: what waits at the former one ends, and both hear of it. */
export async function leaveAddress(tx: Tx, deps: Deps, { userId, former, email, organization }: Move) {
  await deletePending(tx, userId);
  await voidTokensTo(tx, userId, former, deps.clock.now());
  await deleteChallengesOf(tx, userId);
  await recordContact(tx, deps, userId, 'change', { email: [former, email] }, true);
  const content = mailOf(companyMailText.addressMoved, { organization, former, email });
  for (const to of [former, email]) await queueMail(tx, deps, { userId, to, content });
}
