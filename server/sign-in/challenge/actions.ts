import { timingSafeEqual } from 'node:crypto';
import { Refusal, refuse } from '#contract/errors.ts';
import { CODE_MINUTES, RESEND_WAIT_SECONDS, RESTRICTION_HOURS } from '#contract/limits.ts';
import { maskEmail } from '#contract/mask.ts';
import type { UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { holdAccount, insertRestriction } from '#server/accounts/data.ts';
import { fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import { refuseUntil } from '#server/db/limiter.ts';
import type { Deps } from '#server/deps.ts';
import { codeFrom, codeHash, newDigestSeed } from '#server/keys.ts';
import { queueMail } from '#server/mail/outbox.ts';
import {
  countCodeTry,
  countWrongCode,
  deleteChallengesOf,
  type Door,
  findChallenge,
  forgetWrongCodes,
  insertChallenge,
  renewCode,
  useChallenge,
} from '#server/sign-in/challenge/data.ts';
import { codeMail, restrictedNotice } from '#server/sign-in/challenge/mail.ts';

const MAILS_MAX = 3;
const WRONG_IN_A_ROW_MAX = 10;

type Person = { readonly id: UserId; readonly email: string };
type Purpose = Parameters<typeof codeMail>[0];

/** A code is bound to its door by this name of it. */
export const doorName = (door: Door) =>
  'token' in door ? `token:${door.token}` : `session:${door.sessionId}`;

/** A fresh code for a door: what is stored of it, and the mail that will hold it. */
function newCode({ keys }: Deps, door: Door) {
  const seed = newDigestSeed(keys, 'code');
  return { seed, hash: codeHash(keys, doorName(door), codeFrom(keys, seed)) };
}

const mailCode = (
  tx: Tx,
  deps: Deps,
  email: string,
  purpose: Purpose,
  seed: ReturnType<typeof newCode>['seed'],
) =>
  queueMail(tx, deps, {
    to: email,
    content: codeMail(purpose),
    digest: seed,
    expiresAt: fromNow(deps.clock, CODE_MINUTES * MINUTE_MS),
  });

/** Counts a mail with a code: ten a day for one account. */
export const countCodeMail = ({ limiter }: Deps, userId: UserId) =>
  limiter.take('codeMailsDay', String(userId));

/** Starts a challenge behind a door and mails its code, which is counted before. */
export async function startChallenge(tx: Tx, deps: Deps, person: Person, door: Door, purpose: Purpose) {
  const { seed, hash } = newCode(deps, door);
  const now = deps.clock.now();
  const expiresAt = fromNow(deps.clock, CODE_MINUTES * MINUTE_MS);
  if (!(await insertChallenge(tx, { userId: person.id, door, codeHash: hash, now, expiresAt })))
    return refuse('too_many_requests', { retryAfterSeconds: RESEND_WAIT_SECONDS });
  await mailCode(tx, deps, person.email, purpose, seed);
  return { contact: maskEmail(person.email), waitSeconds: RESEND_WAIT_SECONDS };
}

/** Mails a new code for a challenge: half a minute apart, three mails in all; the tries stay counted. */
export async function renewChallenge(deps: Deps, door: Door, purpose: Purpose) {
  const now = deps.clock.now();
  const challenge = await findChallenge(deps.sql, door, now);
  if (!challenge?.email) return refuse('otp_expired');
  const { id, email } = challenge;
  const waitMs = RESEND_WAIT_SECONDS * SECOND_MS;
  const isLast = challenge.mails >= MAILS_MAX;
  const mayAt = isLast ? challenge.expires_at : new Date(challenge.mailed_at.getTime() + waitMs);
  if (mayAt > now) return refuseUntil(mayAt, now);
  const tooMany = await countCodeMail(deps, challenge.user_id);
  if (tooMany) return tooMany;
  return transaction(deps.sql, async (tx) => {
    const { seed, hash } = newCode(deps, door);
    if (!(await renewCode(tx, id, hash, now, { waitMs, mails: MAILS_MAX })))
      return refuse('too_many_requests', { retryAfterSeconds: RESEND_WAIT_SECONDS });
    await mailCode(tx, deps, email, purpose, seed);
    return { contact: maskEmail(email), waitSeconds: RESEND_WAIT_SECONDS };
  });
}

/**
 * Checks a code against the challenge behind a door, counted before it is looked at. Right: whose challenge it was,
 * still to be used up in the transaction that acts on it. Ten wrong ones in a row over all challenges restrict the
 * account. One code of a person is looked at after the other, so that no burst gets more looks than ten.
 */
export async function answerChallenge(deps: Deps, door: Door, code: string) {
  const answer = await transaction(deps.sql, async (tx) => {
    const glimpse = await findChallenge(tx, door, deps.clock.now());
    if (!glimpse) return undefined;
    await holdAccount(tx, glimpse.user_id, deps.clock.now());
    // Gone by now, when what came before was one wrong code too many.
    const counted = await countCodeTry(tx, glimpse.id);
    if (!counted) return undefined;
    const { id: challengeId, user_id: userId, email } = glimpse;
    if (timingSafeEqual(counted.code_hash, codeHash(deps.keys, doorName(door), code)))
      return { challengeId, userId };
    return { until: await noteWrongCode(tx, deps, { id: userId, email }) };
  });
  // Refused only out here: inside it would undo the counting.
  if (!answer) return refuse('otp_expired');
  if (!('until' in answer)) return answer;
  const { until } = answer;
  return until ? refuse('account_is_disable', { reason: 'restricted', until }) : refuse('otp_invalid');
}

/** Returns until when the account is restricted, if this wrong code was one too many. */
async function noteWrongCode(tx: Tx, deps: Deps, person: { id: UserId; email: string | null }) {
  if ((await countWrongCode(tx, person.id)) < WRONG_IN_A_ROW_MAX) return undefined;
  const endsAt = fromNow(deps.clock, RESTRICTION_HOURS * HOUR_MS);
  await insertRestriction(tx, person.id, 'wrong-codes', deps.clock.now(), endsAt);
  await deleteChallengesOf(tx, person.id);
  await forgetWrongCodes(tx, person.id);
  await mailNotice(tx, deps, person, restrictedNotice);
  return endsAt;
}

/** Uses the answered challenge up in the transaction that acts on it; refuses when another answer was first. */
export async function closeChallenge(
  tx: Tx,
  { clock }: Deps,
  answered: { challengeId: number; userId: UserId },
): Promise<Refusal<'otp_expired'> | undefined> {
  // The person before the challenge, as one wrong code too many does: else the two could wait for each other.
  await forgetWrongCodes(tx, answered.userId);
  return (await useChallenge(tx, answered.challengeId, clock.now())) ? undefined : refuse('otp_expired');
}
