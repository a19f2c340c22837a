import { timingSafeEqual } from 'node:crypto';
import { Refusal, refuse } from '#contract/errors.ts';
import { CHALLENGE_MINUTES, RESEND_WAIT_SECONDS, RESTRICTION_HOURS } from '#contract/limits.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import type { UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { lockAccount, insertRestriction, renewProof } from '#server/accounts/data.ts';
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
  type ChallengeKey,
  findChallenge,
  forgetWrongCodes,
  insertChallenge,
  type NewChallengeKey,
  renewCode,
  useChallenge,
} from './data.ts';
import { codeMail, restrictedNotice } from './mail.ts';

const MAILS_MAX = 3;
const WRONG_IN_A_ROW_MAX = 10;

type Person = { readonly id: UserId; readonly email: string };
type Purpose = Parameters<typeof codeMail>[0];

export const challengeKeyName = (key: ChallengeKey) =>
  'token' in key ? `token:${key.token}` : `session:${key.sessionId}`;

function newCode({ keys }: Deps, key: ChallengeKey) {
  const seed = newDigestSeed(keys, 'code');
  return { seed, hash: codeHash(keys[0], challengeKeyName(key), codeFrom(keys, seed)) };
}

const mailCode = (
  tx: Tx,
  deps: Deps,
  { id: userId, email }: Person,
  purpose: Purpose,
  seed: ReturnType<typeof newCode>['seed'],
) =>
  queueMail(tx, deps, {
    userId,
    to: email,
    content: codeMail(purpose),
    digest: seed,
    expiresAt: fromNow(deps.clock, CHALLENGE_MINUTES * MINUTE_MS),
  });

/** Counts a mailed code. An account gets ten a day. */
export const countCodeMail = ({ limiter }: Deps, userId: UserId) =>
  limiter.take('codeMailsDay', String(userId));

const waitMs = RESEND_WAIT_SECONDS * SECOND_MS;

/** Returns the seed of its code, or undefined if the session has a challenge already. */
async function addChallenge(
  tx: Tx,
  deps: Deps,
  userId: UserId,
  key: NewChallengeKey,
  mailed: { readonly mailed_at: Date; readonly mails: number },
) {
  const { seed, hash } = newCode(deps, key);
  const expiresAt = fromNow(deps.clock, CHALLENGE_MINUTES * MINUTE_MS);
  const row = { user_id: userId, code_hash: hash, created_at: deps.clock.now(), expires_at: expiresAt };
  return (await insertChallenge(tx, key, { ...row, ...mailed })) && seed;
}

/** Starts a challenge and mails its code. Call `countCodeMail` first. */
export async function startChallenge(
  tx: Tx,
  deps: Deps,
  person: Person,
  key: NewChallengeKey,
  purpose: Purpose,
) {
  const now = deps.clock.now();
  const seed = await addChallenge(tx, deps, person.id, key, { mailed_at: now, mails: 1 });
  if (!seed) return refuseUntil('code mail', fromNow(deps.clock, waitMs), now);
  await mailCode(tx, deps, person, purpose, seed);
  return { contact: maskEmail(person.email), waitSeconds: RESEND_WAIT_SECONDS };
}

/** Starts a challenge that waits for another step: nobody knows its code. One is mailed once it is asked for. */
export const startSilentChallenge = (tx: Tx, deps: Deps, userId: UserId, key: NewChallengeKey) =>
  addChallenge(tx, deps, userId, key, { mailed_at: fromNow(deps.clock, -waitMs), mails: 0 });

export async function renewChallenge(deps: Deps, key: ChallengeKey, purpose: Purpose) {
  const now = deps.clock.now();
  const challenge = await findChallenge(deps.sql, key, now);
  if (!challenge?.email) return refuse('otp_expired');
  // Only a confirmed mailbox is a second step. Inside a session, the session's owner asks.
  if ('token' in key && !challenge.confirmed_at) return refuse('otp_expired');
  const { id, email } = challenge;
  const hasMailLeft = challenge.mails < MAILS_MAX;
  const nextMailAt = hasMailLeft ? new Date(challenge.mailed_at.getTime() + waitMs) : challenge.expires_at;
  if (nextMailAt > now) return refuseUntil('code mail', nextMailAt, now);
  const tooMany = await countCodeMail(deps, challenge.user_id);
  if (tooMany) return tooMany;
  return transaction(deps.sql, async (tx) => {
    const { seed, hash } = newCode(deps, key);
    if (!(await renewCode(tx, id, hash, now, { waitMs, mails: MAILS_MAX })))
      return refuseUntil('code mail', fromNow(deps.clock, waitMs), now);
    await mailCode(tx, deps, { id: challenge.user_id, email }, purpose, seed);
    return { contact: maskEmail(email), waitSeconds: RESEND_WAIT_SECONDS };
  });
}

/** How to refuse a wrong code, and whether it counts towards a restriction. */
type Wrong = {
  readonly refuseWrong?: (() => Refusal<'otp_invalid'>) | undefined;
  readonly restricts?: boolean;
};
/** Ten wrong codes in a row restrict the account. Its lock serialises them, so a burst gets no more. See `closeChallenge`. */
export async function answerChallenge<Proven>(
  deps: Deps,
  key: ChallengeKey,
  check: (tx: Tx, challenge: TriedChallenge) => Promise<Proven | Refusal<'otp_invalid'> | undefined>,
  { refuseWrong = () => refuse('otp_invalid'), restricts = true }: Wrong = {},
) {
  const answer = await transaction(deps.sql, async (tx) => {
    const challenge = await findChallenge(tx, key, deps.clock.now());
    if (!challenge) return undefined;
    const { id: challengeId, user_id: userId, email, method } = challenge;
    await lockAccount(tx, userId, deps.clock.now());
    // A wrong code may have used up the challenge during the wait for the lock.
    const current = await countCodeTry(tx, challengeId);
    if (!current) return undefined;
    const proven = await check(tx, { userId, codeHash: current.code_hash });
    if (proven instanceof Refusal) return proven;
    if (proven !== undefined) return { challengeId, userId, method, proven };
    return { until: restricts ? await noteWrongCode(tx, deps, { id: userId, email }) : undefined };
  });
  // Refuse outside the transaction, because a refusal inside would roll the count back.
  if (!answer) return refuse('otp_expired');
  if (answer instanceof Refusal || !('until' in answer)) return answer;
  const { until } = answer;
  return until ? refuse('account_is_disable', { reason: 'restricted', until }) : refuseWrong();
}

export type TriedChallenge = { readonly userId: UserId; readonly codeHash: Uint8Array };
export const isMailedCode =
  ({ keys }: Deps, key: ChallengeKey, code: string) =>
  async (_tx: Tx, { codeHash: expected }: TriedChallenge) =>
    keys.some((each) => timingSafeEqual(expected, codeHash(each, challengeKeyName(key), code))) || undefined;

/** Counts a wrong code. Returns when the restriction ends, if this code caused one. */
async function noteWrongCode(tx: Tx, deps: Deps, person: { id: UserId; email: string | null }) {
  if ((await countWrongCode(tx, person.id)) < WRONG_IN_A_ROW_MAX) return undefined;
  const endsAt = fromNow(deps.clock, RESTRICTION_HOURS * HOUR_MS);
  await insertRestriction(tx, person.id, 'wrong-codes', deps.clock.now(), endsAt);
  await deleteChallengesOf(tx, person.id);
  await forgetWrongCodes(tx, person.id);
  await mailNotice(tx, deps, person, restrictedNotice);
  return endsAt;
}

/** Uses up an answered challenge in the transaction that acts on it. Of two right answers one wins. */
export async function closeChallenge(
  tx: Tx,
  { clock }: Deps,
  { challengeId, userId }: { challengeId: number; userId: UserId },
  proves?: 'mailbox',
): Promise<Refusal<'otp_expired'> | undefined> {
  // Update the person before the challenge, in the same order as `noteWrongCode`, to avoid a deadlock.
  await forgetWrongCodes(tx, userId);
  const mailedAt = await useChallenge(tx, challengeId, clock.now());
  if (!mailedAt) return refuse('otp_expired');
  if (proves === 'mailbox') await renewProof(tx, userId, mailedAt);
  return undefined;
}
