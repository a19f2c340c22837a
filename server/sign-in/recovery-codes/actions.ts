import { refuse } from '#contract/errors.ts';
import { recoveryCodeText } from '#words/recovery-code.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { hasSession } from '#server/sessions/data.ts';
import { makeRecoveryCodes, tellOwner } from '#server/sign-in/factors/actions.ts';
import { recoveryCodesNotice } from '#server/sign-in/recovery-codes/mail.ts';
import { deleteRemembered } from '#server/sign-in/remembered/data.ts';
import { refuseWeakSession, type StepAdder } from '#server/sign-in/step-changes/guards.ts';

/** Makes new codes, and ends the old ones and remembered browsers. Only two-step sign-in asks for them. */
export const renewRecoveryCodes = (deps: Deps, caller: StepAdder) =>
  transaction(deps.sql, async (tx) => {
    const account = await lockAccount(tx, caller.userId, deps.clock.now());
    if (!account || !(await hasSession(tx, caller.sessionId))) return refuse('not_signed_in');
    if (!account.mfa_enabled) return refuse('not_allowed', { details: recoveryCodeText.needsTwoStep });
    const weak = await refuseWeakSession(tx, deps, caller);
    if (weak) return weak;
    await deleteRemembered(tx, caller.userId);
    const codes = await makeRecoveryCodes(tx, deps, caller.userId);
    await recordActivity(tx, deps, 'person.recoveryCode.create', { userId: caller.userId });
    await tellOwner(tx, deps, account, 'recoveryCodesRenewed', recoveryCodesNotice);
    return { codes };
  });
