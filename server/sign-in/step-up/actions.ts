import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { fieldText } from '#contract/text/fields.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { findAccountById, findPassword } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { renewSession } from '#server/sessions/data.ts';
import {
  answerChallenge,
  closeChallenge,
  countCodeMail,
  renewChallenge,
  startChallenge,
} from '#server/sign-in/challenge/actions.ts';
import { setMfa } from '#server/sign-in/data.ts';
import { twoStepNotice } from '#server/sign-in/step-up/mail.ts';

type Who = { readonly userId: UserId; readonly sessionId: SessionId };

export async function readTwoStep(deps: Deps, userId: UserId) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  return { mfaEnabled: account?.mfa_enabled ?? false };
}

/** Switches the second step on or off; codes go to the address, so it has to be confirmed. */
export const setTwoStep = (deps: Deps, who: { userId: UserId; confirmed: boolean }, mfaEnabled: boolean) =>
  transaction(deps.sql, async (tx) => {
    if (!who.confirmed) return refuse('account_not_confirmed');
    const changed = await setMfa(tx, who.userId, mfaEnabled);
    if (changed) {
      await recordActivity(tx, deps, {
        orgId: null,
        userId: who.userId,
        module: MODULE.signInDevice,
        type: ACTIVITY_TYPE.twoStep,
        action: ACTION.change,
        information: { mfa_enabled: [!mfaEnabled, mfaEnabled] },
      });
      await mailNotice(tx, deps, changed, twoStepNotice(mfaEnabled));
    }
    return { mfaEnabled };
  });

/** Proves again who one is and mints a new cookie for the same session; with a password where there is one, else with a code. */
export async function reauthenticate(
  deps: Deps,
  who: Who,
  proof: { password?: string | undefined; otp?: string | undefined },
) {
  if ((proof.password === undefined) === (proof.otp === undefined))
    return refuse('invalid_input', { fields: { password: fieldText.required } });
  const answered =
    proof.otp === undefined
      ? await provePassword(deps, who, proof.password ?? '')
      : await answerChallenge(deps, { sessionId: who.sessionId }, proof.otp);
  if (answered instanceof Refusal) return answered;
  return transaction(deps.sql, async (tx) => {
    const late = answered ? await closeChallenge(tx, deps, answered) : undefined;
    if (late) return late;
    await recordActivity(tx, deps, {
      orgId: null,
      userId: who.userId,
      module: MODULE.signInDevice,
      type: ACTIVITY_TYPE.stepUp,
      action: ACTION.create,
    });
    return renewSession(tx, deps, who.sessionId);
  });
}

/** Nothing to use up after a right password; a refusal otherwise. */
async function provePassword(deps: Deps, who: Who, password: string) {
  const by = `session ${who.sessionId}`;
  const tooMany = await deps.limiter.tryOnce(by);
  if (tooMany) return tooMany;
  const record = await findPassword(deps.sql, who.userId);
  const matches = await deps.passwords.matches(password, record, by);
  if (matches instanceof Refusal) return matches;
  if (!matches) return refuse('wrong_password');
  await deps.limiter.forget([by]);
  return undefined;
}

/** Mails a code to somebody who has no password to prove themself with, or a new one in place of the last. */
export async function mailProofCode(deps: Deps, { userId, sessionId }: Who) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  if (!account?.email || account.phc) return refuse('not_allowed');
  const { id, email } = account;
  const renewed = await renewChallenge(deps, { sessionId }, 'confirm it is you');
  if (!(renewed instanceof Refusal) || renewed.name !== 'otp_expired') return renewed;
  const tooMany = await countCodeMail(deps, id);
  if (tooMany) return tooMany;
  return transaction(deps.sql, (tx) =>
    startChallenge(tx, deps, { id, email }, { sessionId }, 'confirm it is you'),
  );
}
