import { refuse } from '#contract/errors.ts';
import { recoveryCodeText } from '#words/recovery-code.ts';
import { recordActivity } from '#server/activity/data.ts';
import type { Deps } from '#server/deps.ts';
import { inSession } from '#server/sessions/actions.ts';
import { makeRecoveryCodes, tellOwner } from '#server/sign-in/factors/actions.ts';
import { recoveryCodesNotice } from '#server/sign-in/factors/notices.ts';
import { deleteRemembered } from '#server/sign-in/remembered/data.ts';
import { refuseWeakSession, type StepAdder } from '#server/sign-in/step-changes/guards.ts';

/** Makes new codes, and ends the old ones and remembered browsers. Only two-step sign-in asks for them. */
export const renewRecoveryCodes = (deps: Deps, caller: StepAdder) =>
  inSession(deps, caller, async (tx, account) => {
    if (!account.mfa_enabled) return refuse('not_allowed', { details: recoveryCodeText.needsTwoStep });
    const weak = await refuseWeakSession(tx, deps, caller);
    if (weak) return weak;
    await deleteRemembered(tx, caller.userId);
    const codes = await makeRecoveryCodes(tx, deps, caller.userId);
    await recordActivity(tx, deps, 'person.recoveryCode.create', { userId: caller.userId });
    await tellOwner(tx, deps, account, 'recoveryCodesRenewed', recoveryCodesNotice);
    return { codes };
  });
