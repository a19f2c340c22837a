import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { profile } from '#contract/profile/calls.ts';
import { mailNotice, refuseWeakPassword } from '#server/accounts/actions.ts';
import { findPassword, findUser, storePassword } from '#server/accounts/data.ts';
import { voidTokens } from '#server/accounts/tokens/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { isSamePassword } from '#server/passwords.ts';
import { passwordNotice } from './mail.ts';
import type { Client } from '#server/origin.ts';
import { inSession } from '#server/sessions/actions.ts';
import { deleteSessionsOf, renewSession } from '#server/sessions/data.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';
import { deleteCodesOf } from '#server/sign-in/onward/data.ts';
import { deleteRemembered } from '#server/sign-in/remembered/data.ts';
import { type Guesser, provePassword } from '#server/sign-in/step-up/actions.ts';

/** The form in which passwords are hashed, so that a letter and its composed form are equal. */
const normal = (password: string) => password.normalize('NFKC');

/** A wrong current one counts as a step-up attempt. Sessions, challenges and remembered browsers end. */
export async function changePassword(
  deps: Deps,
  caller: Guesser,
  { currentPassword, newPassword }: Input<typeof profile.changePassword>,
  client: Client,
) {
  const network = ipPrefix(client.ipAddress);
  const proven = await findPassword(deps.sql, caller.userId);
  const refusal = await provePassword(deps, caller, currentPassword, network);
  if (refusal) return refusal;
  if (normal(newPassword) === normal(currentPassword)) return refuse('same_password');
  const user = await findUser(deps.sql, caller.userId);
  if (!user) return refuse('not_signed_in');
  const names = [user.first_name, user.last_name];
  const weak = await refuseWeakPassword(deps, newPassword, { email: user.email, names }, 'new_password');
  const phc = weak ?? (await deps.passwords.hash(newPassword, network));
  if (phc instanceof Refusal) return phc;

  return inSession(deps, caller, async (tx, account) => {
    const now = deps.clock.now();
    // A reset or another change may have replaced the proven password meanwhile.
    const current = await findPassword(tx, user.id);
    if (!proven || !current || !isSamePassword(deps.keys, current, proven)) return refuse('wrong_password');
    await storePassword(tx, deps.keys, user.id, phc, now);
    await deleteSessionsOf(tx, user.id, caller.sessionId);
    await deleteChallengesOf(tx, user.id);
    await deleteRemembered(tx, user.id);
    await deleteCodesOf(tx, user.id);
    await voidTokens(tx, user.id, now, ['reset-password', 'set-password']);
    await recordActivity(tx, deps, 'person.password.change', { userId: user.id });
    // An unconfirmed mailbox may be a stranger's.
    if (user.confirmed_at) await mailNotice(tx, deps, user, passwordNotice);
    const means = { isTwoStepOn: account.mfa_enabled, hasPassword: true };
    return renewSession(tx, deps, caller.sessionId, 'pwd', { way: 'password', means });
  });
}
