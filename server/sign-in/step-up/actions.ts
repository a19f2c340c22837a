import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { fieldText } from '#contract/text/fields.ts';
import { stepUpText as text } from '#contract/text/step-up.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { findAccountById, findPassword, lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { hasSession, renewSession } from '#server/sessions/data.ts';
import {
  answerChallenge,
  closeChallenge,
  countCodeMail,
  renewChallenge,
  startChallenge,
} from '#server/sign-in/challenge/actions.ts';
import { setMfa } from '#server/sign-in/data.ts';
import { twoStepNotice } from '#server/sign-in/step-up/mail.ts';

/** Wrong passwords in a row, over all sessions of a person. */
const FAILURES_MAX = 100;

type SessionOwner = { readonly userId: UserId; readonly sessionId: SessionId };

export async function readTwoStep(deps: Deps, userId: UserId) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  return { mfaEnabled: account?.mfa_enabled ?? false };
}

/** Switches two-step sign-in on or off. Codes go to the address, so it must be confirmed. */
export const setTwoStep = (deps: Deps, who: SessionOwner & { confirmed: boolean }, mfaEnabled: boolean) =>
  transaction(deps.sql, async (tx) => {
    if (!who.confirmed) return refuse('account_not_confirmed');
    // Serialised with a concurrent reset, which ends the session.
    await lockAccount(tx, who.userId, deps.clock.now());
    if (!(await hasSession(tx, who.sessionId))) return refuse('not_signed_in');
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

/** Proves the caller again, by password or else by a mailed code, and renews the session's cookie. */
export async function reauthenticate(
  deps: Deps,
  who: SessionOwner,
  prefix: string,
  proof: { password?: string | undefined; otp?: string | undefined },
) {
  if ((proof.password === undefined) === (proof.otp === undefined))
    return refuse('invalid_input', { fields: { password: fieldText.required } });
  const answered =
    proof.otp === undefined
      ? await provePassword(deps, who, proof.password ?? '', prefix)
      : await answerChallenge(deps, { sessionId: who.sessionId }, proof.otp);
  if (answered instanceof Refusal) return answered;
  return transaction(deps.sql, async (tx) => {
    // Lock the account first. Two calls that both share-lock the session would deadlock when they renew it.
    await lockAccount(tx, who.userId, deps.clock.now());
    const late = answered ? await closeChallenge(tx, deps, answered) : undefined;
    if (late) return late;
    if (!(await hasSession(tx, who.sessionId))) return refuse('not_signed_in');
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

/** Proves the caller by their password. Returns undefined if it is right. */
export async function provePassword(deps: Deps, who: SessionOwner, password: string, prefix: string) {
  const by = `session ${who.sessionId}`;
  const inAll = `sessions of ${who.userId}`;
  const tooMany = await deps.limiter.tryOnce(by);
  if (tooMany) return tooMany;
  // The guesses of all sessions of a person count together.
  if (!(await deps.limiter.tryOneOf(FAILURES_MAX, inAll)))
    return refuse('too_many_requests', { details: text.tooManyProofs });
  const record = await findPassword(deps.sql, who.userId);
  const matches = await deps.passwords.matches(password, record, prefix);
  if (matches instanceof Refusal) return matches;
  if (!matches) return refuse('wrong_password');
  await deps.limiter.forget([by, inAll]);
  return undefined;
}

/** Mails a code to a caller without a password, or replaces the last one. */
export async function mailProofCode(deps: Deps, { userId, sessionId }: SessionOwner) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  if (!account?.email || account.phc) return refuse('not_allowed', { details: text.noWayToProve });
  const renewed = await renewChallenge(deps, { sessionId }, 'stepUpCode');
  if (!(renewed instanceof Refusal) || renewed.name !== 'otp_expired') return renewed;
  const tooMany = await countCodeMail(deps, userId);
  if (tooMany) return tooMany;
  return transaction(deps.sql, async (tx) => {
    // Serialised with a concurrent address change, which ends codes sent to the earlier address.
    const held = await lockAccount(tx, userId, deps.clock.now());
    if (!(await hasSession(tx, sessionId))) return refuse('not_signed_in');
    if (!held?.email || held.phc) return refuse('not_allowed', { details: text.noWayToProve });
    const { id, email } = held;
    return startChallenge(tx, deps, { id, email }, { sessionId }, 'stepUpCode');
  });
}
