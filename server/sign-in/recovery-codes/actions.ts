import { refuse } from '#contract/errors.ts';
import { recoveryCodeText } from '#words/recovery-code.ts';
import { recordActivity } from '#server/activity/data.ts';
import type { Deps } from '#server/deps.ts';
import { inSession } from '#server/sessions/actions.ts';
import { makeRecoveryCodes, tellOwner } from '#server/sign-in/factors/actions.ts';
import { findFactors } from '#server/sign-in/factors/data.ts';
import { recoveryCodesNotice } from '#server/sign-in/factors/notices.ts';
import { hasStrong } from '#server/access/rules.ts';
import { deleteRemembered } from '#server/sign-in/remembered/data.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { refuseWeakSession } from '#server/sign-in/step-changes/guards.ts';

/** Makes new codes, and ends the old ones and remembered browsers. They replace a second step, so there must be one. */
export const renewRecoveryCodes = (deps: Deps, caller: SessionOwner) =>
  inSession(deps, caller, async (tx, account) => {
    if (!account.mfa_enabled && !hasStrong(await findFactors(tx, caller.userId)))
      return refuse('not_allowed', { details: recoveryCodeText.needsStep });
    const weak = await refuseWeakSession(tx, deps, caller);
    if (weak) return weak;
    await deleteRemembered(tx, caller.userId);
    const codes = await makeRecoveryCodes(tx, deps, caller.userId);
    await recordActivity(tx, deps, 'person.recoveryCode.create', { userId: caller.userId });
    await tellOwner(tx, deps, account, 'recoveryCodesRenewed', recoveryCodesNotice);
    return { codes };
  });
