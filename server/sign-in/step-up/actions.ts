import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { fieldText } from '#contract/text/fields.ts';
import { stepUpText as text } from '#contract/text/step-up.ts';
import type { UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { findAccountById, findPassword, lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
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

/** Wrong passwords in a row, over all sessions of one person. */
const FAILURES_MAX = 100;

export async function readTwoStep(deps: Deps, userId: UserId) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  return { mfaEnabled: account?.mfa_enabled ?? false };
}

/** Switches two-step sign-in on or off. Codes go to the address, so it must be confirmed. */
export const setTwoStep = (deps: Deps, caller: SessionOwner & { confirmed: boolean }, mfaEnabled: boolean) =>
  transaction(deps.sql, async (tx) => {
    if (!caller.confirmed) return refuse('account_not_confirmed');
    // Serialised with a concurrent reset, which ends the session.
    await lockAccount(tx, caller.userId, deps.clock.now());
    if (!(await hasSession(tx, caller.sessionId))) return refuse('not_signed_in');
    const person = await setMfa(tx, caller.userId, mfaEnabled);
    if (person) {
      await recordActivity(tx, deps, {
        orgId: null,
        userId: person.id,
        module: MODULE.signInDevice,
        type: ACTIVITY_TYPE.twoStep,
        action: ACTION.change,
        information: { mfa_enabled: [!mfaEnabled, mfaEnabled] },
      });
      await mailNotice(tx, deps, person, twoStepNotice(mfaEnabled));
    }
    return { mfaEnabled };
  });

/** Proves the caller again, by password or else by a mailed code, and renews the session's cookie. */
export async function reauthenticate(
  deps: Deps,
  { userId, sessionId }: SessionOwner,
  network: string,
  { password, otp }: { password?: string | undefined; otp?: string | undefined },
) {
  if ((password === undefined) === (otp === undefined))
    return refuse('invalid_input', { fields: { password: fieldText.required } });
  const challenge =
    otp === undefined
      ? await provePassword(deps, { userId, sessionId }, password ?? '', network)
      : await answerChallenge(deps, { sessionId }, otp);
  if (challenge instanceof Refusal) return challenge;
  return transaction(deps.sql, async (tx) => {
    // Lock the account first. Two calls that both share-lock the session would deadlock when they renew it.
    await lockAccount(tx, userId, deps.clock.now());
    const expired = challenge && (await closeChallenge(tx, deps, challenge));
    if (expired) return expired;
    if (!(await hasSession(tx, sessionId))) return refuse('not_signed_in');
    await recordActivity(tx, deps, {
      orgId: null,
      userId,
      module: MODULE.signInDevice,
      type: ACTIVITY_TYPE.stepUp,
      action: ACTION.create,
    });
    return renewSession(tx, deps, sessionId, otp === undefined ? 'pwd' : 'otp');
  });
}

/** Proves the caller by their password. Returns undefined if it is right. */
export async function provePassword(
  deps: Deps,
  { userId, sessionId }: SessionOwner,
  password: string,
  network: string,
) {
  const counters = { session: `session ${sessionId}`, person: `sessions of ${userId}` };
  const tooSoon = await deps.limiter.tryOnce(counters.session);
  if (tooSoon) return tooSoon;
  if (!(await deps.limiter.tryOneOf(FAILURES_MAX, counters.person)))
    return refuse('too_many_requests', { details: text.tooManyProofs });
  const record = await findPassword(deps.sql, userId);
  const matches = await deps.passwords.matches(password, record, network);
  if (matches instanceof Refusal) return matches;
  if (!matches) return refuse('wrong_password');
  await deps.limiter.forget([counters.session, counters.person]);
  return undefined;
}

/** Mails a code to a caller without a password, or a new code for the open challenge. */
export async function mailProofCode(deps: Deps, { userId, sessionId }: SessionOwner) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  if (!account?.email || account.phc) return refuse('not_allowed', { details: text.noWayToProve });
  const renewed = await renewChallenge(deps, { sessionId }, 'stepUpCode');
  if (!(renewed instanceof Refusal) || renewed.name !== 'otp_expired') return renewed;
  const tooMany = await countCodeMail(deps, userId);
  if (tooMany) return tooMany;
  return transaction(deps.sql, async (tx) => {
    // Serialised with a concurrent address change, which ends codes sent to the earlier address.
    const lockedAccount = await lockAccount(tx, userId, deps.clock.now());
    if (!(await hasSession(tx, sessionId))) return refuse('not_signed_in');
    if (!lockedAccount?.email || lockedAccount.phc)
      return refuse('not_allowed', { details: text.noWayToProve });
    const person = { id: userId, email: lockedAccount.email };
    return startChallenge(tx, deps, person, { sessionId }, 'stepUpCode');
  });
}
