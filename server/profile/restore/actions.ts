import { Refusal, refuse } from '#contract/errors.ts';
import { EMAIL_CHANGE_HOURS } from '#contract/limits.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { restoreEmailText } from '#words/restore-email.ts';
import {
  claimAddress,
  claiming,
  isOutdated,
  lockForAddress,
  mailNewLink,
  recordContact,
} from '#server/accounts/addresses/actions.ts';
import { findPending } from '#server/accounts/addresses/data.ts';
import { deletePassword, lockAccount } from '#server/accounts/data.ts';
import { getToken } from '#server/accounts/tokens/links.ts';
import { issueToken, type Token, useToken, voidRestores } from '#server/accounts/tokens/data.ts';
import { changes } from '#server/activity/rules.ts';
import { HOUR_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { setBackMail, wayBackMail } from './mail.ts';
import { endEverything, resetToken } from '#server/sign-in/recovery/actions.ts';

/** Ends sessions, other links and a changed address's password. If somebody else was invited, a new link goes there. */
export async function restoreEmail(deps: Deps, digest: string) {
  const token = await getToken(deps, ['restore-email'], digest);
  if (token instanceof Refusal) return token;
  const result = await claiming(deps, token.subject, () => takeBack(deps, token));
  if (result !== 'outdated') return result;
  await mailNewLink(deps, token, wayBackMail(deps.config.publicUrl), EMAIL_CHANGE_HOURS * HOUR_MS);
  return refuse('email_id_exist', { details: restoreEmailText.takenLead });
}

const takeBack = (deps: Deps, token: Token) =>
  transaction(deps.sql, async (tx) => {
    const { user_id: userId, subject: email } = token;
    const now = deps.clock.now();
    const claim = await lockForAddress(tx, userId, email);
    const account = await lockAccount(tx, userId, now);
    if (!account) return refuse('digest_invalid');
    if (account.email !== email && (await isOutdated(tx, token))) return 'outdated';
    if (!(await useToken(tx, token.id, now))) return refuse('digest_invalid');
    await voidRestores(tx, token, now);
    const pending = await findPending(tx, userId);
    if (account.email !== email) {
      const refusal = await claimAddress(tx, deps, claim, token.provenAt);
      if (refusal instanceof Refusal) return refusal;
      await deletePassword(tx, userId);
      if (account.email !== null)
        await queueMail(tx, deps, { userId, to: account.email, content: setBackMail(deps.config.publicUrl) });
    }
    await endEverything(tx, deps, { id: userId, confirmed_at: now });
    await recordContact(tx, deps, userId, 'change', {
      ...changes({ email: account.email }, { email }),
      ...(pending && { pending_email: [maskEmail(pending.email), null] }),
      reported: [false, true],
    });
    const { digest } = await issueToken(tx, deps, resetToken(userId, email, token.provenAt));
    return { digest };
  });
