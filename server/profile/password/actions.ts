import { ACTION } from '#contract/activity.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { profile } from '#contract/profile.ts';
import { mailNotice, refuseWeakPassword } from '#server/accounts/actions.ts';
import { findPassword, findUser, lockAccount, storePassword } from '#server/accounts/data.ts';
import { voidTokens } from '#server/accounts/tokens/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { passwordNotice } from '#server/profile/password/mail.ts';
import type { Client, SessionOwner } from '#server/sessions/actions.ts';
import { deleteSessionsOf, hasSession, renewSession } from '#server/sessions/data.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';
import { deleteCodesOf } from '#server/sign-in/onward/data.ts';
import { recordPassword } from '#server/sign-in/recovery/actions.ts';
import { provePassword } from '#server/sign-in/step-up/actions.ts';

/** Passwords are hashed in this form, so that a letter and its composed form are equal. */
const normal = (password: string) => password.normalize('NFKC');

/**
 * Changes the password after checking the current one. Wrong ones count as step-up attempts. All other
 * sessions and half-done sign-ins end. This session continues with a new token, which is returned.
 */
export async function changePassword(
  deps: Deps,
  who: SessionOwner,
  { currentPassword, newPassword }: Input<typeof profile.changePassword>,
  place: Client,
) {
  const by = ipPrefix(place.ipAddress);
  const before = await findPassword(deps.sql, who.userId);
  const wrong = await provePassword(deps, who, currentPassword, by);
  if (wrong) return wrong;
  if (normal(newPassword) === normal(currentPassword)) return refuse('same_password');
  const user = await findUser(deps.sql, who.userId);
  if (!user) return refuse('not_signed_in');
  const names = [user.first_name, user.last_name];
  const weak = await refuseWeakPassword(deps, newPassword, { email: user.email, names }, 'new_password');
  const record = weak ?? (await deps.passwords.hash(newPassword, by));
  if (record instanceof Refusal) return record;

  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const account = await lockAccount(tx, user.id, now);
    // A reset or another change may have replaced the proven password meanwhile.
    if (!account || !(await hasSession(tx, who.sessionId))) return refuse('not_signed_in');
    if ((await findPassword(tx, user.id))?.phc !== before?.phc) return refuse('wrong_password');
    await storePassword(tx, user.id, record, now);
    await deleteSessionsOf(tx, user.id, who.sessionId);
    await deleteChallengesOf(tx, user.id);
    await deleteCodesOf(tx, user.id);
    await voidTokens(tx, user.id, now, ['reset-password', 'set-password']);
    await recordPassword(tx, deps, user.id, ACTION.change);
    // An unconfirmed mailbox may be a stranger's.
    if (user.confirmed_at) await mailNotice(tx, deps, user, passwordNotice);
    return renewSession(tx, deps, who.sessionId);
  });
}
