// A signed-in person proves again who they are before a sensitive call, and switches two-step sign-in on or off.
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { SecondStep } from '#contract/sign-in/calls.ts';
import type { Assertion } from '#contract/split-by-bytes/passkey-parts.ts';
import { PROOFS, type stepUp } from '#contract/sign-in/step-up.ts';
import { fieldText } from '#words/field.ts';
import { stepUpText as text } from '#words/step-up.ts';
import type { UserId } from '#contract/wire.ts';
import { findProvingCompany } from '#server/access/company/data.ts';
import { listMemberships, servesAccount } from '#server/access/data.ts';
import { type OwnMeans, proofsOf, waysToAccount, waysToStep } from '#server/access/ways/rules.ts';
import type { Session } from '#contract/access/facts.ts';
import { isReady, strictestStep } from '#server/access/rules.ts';
import { type Account, findAccountById, findPassword, lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Method } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { inSession, type SessionOwner } from '#server/sessions/actions.ts';
import { findMethods, hasSession, renewSession } from '#server/sessions/data.ts';
import {
  answerChallenge,
  closeChallenge,
  countCodeMail,
  isMailedCode,
  renewChallenge,
  startChallenge,
} from '#server/sign-in/challenge/actions.ts';
import { findFactors, findHelper, setMfa } from '#server/sign-in/factors/data.ts';
import {
  checkAppCode,
  checkPasskey,
  checkRecoveryCode,
  mailChange,
  type PasskeyFlow,
  passkeyRequest,
  refuseRecoveryCode,
  spendRecoveryCode,
  supportsPasskeys,
  useAppCode,
  usePasskey,
} from '#server/sign-in/factors/actions.ts';
import { type Guessed, guessesOf } from '#server/sign-in/factors/guesses.ts';
import { replacedStep } from '#server/sign-in/factors/rules.ts';
import { deleteRemembered } from '#server/sign-in/remembered/data.ts';
import { twoStepNotice } from '#server/sign-in/factors/notices.ts';

/** Wrong passwords or codes of an app in a row, over all sessions of one person. */
const FAILURES_MAX = 100;

export async function readTwoStep(deps: Deps, userId: UserId) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  return { mfaEnabled: account?.mfa_enabled ?? false };
}

/** Switches two-step sign-in on or off. Without app and passkey, codes go to the address, which must be confirmed. */
export const setTwoStep = (deps: Deps, caller: SessionOwner & { confirmed: boolean }, mfaEnabled: boolean) =>
  inSession(deps, caller, async (tx) => {
    const factors = { ...(await findFactors(tx, caller.userId)), isTwoStepOn: mfaEnabled };
    if (!caller.confirmed && !factors.hasApp && factors.passkeys === 0)
      return refuse('account_not_confirmed');
    const { rule } = strictestStep(await listMemberships(tx, caller.userId), deps.clock.now());
    if (!mfaEnabled && !isReady(rule, factors)) return refuse('second_step_needed');
    const person = await setMfa(tx, caller.userId, mfaEnabled);
    if (person) {
      if (!mfaEnabled) await deleteRemembered(tx, person.id);
      await recordActivity(tx, deps, 'person.twoStep.change', {
        userId: person.id,
        information: { mfa_enabled: [!mfaEnabled, mfaEnabled] },
      });
      await mailChange(tx, deps, person, twoStepNotice(mfaEnabled));
    }
    return { mfaEnabled };
  });

const meansOf = ({ mfa_enabled, password }: Account) => ({
  isTwoStepOn: mfa_enabled,
  hasPassword: password !== null,
});

type Given = Input<typeof stepUp.reauthenticate>;
/** A proof that was checked, and what uses it up in the transaction that renews the session. */
type Proven = {
  readonly method: Method;
  readonly step?: SecondStep;
  readonly use?: (
    tx: Tx,
    person: Account,
  ) => Promise<Refusal<'otp_expired' | 'otp_invalid' | 'passkey_invalid' | 'passkey_unknown'> | undefined>;
};

export async function reauthenticate(deps: Deps, caller: Guesser, network: string, proofs: Given) {
  const { userId, sessionId } = caller;
  const proof = await checkProof(deps, caller, network, proofs);
  if (proof instanceof Refusal) return proof;
  return transaction(deps.sql, async (tx) => {
    // Lock the account first. Two calls that both share-lock the session would deadlock when they renew it.
    const account = await lockAccount(tx, userId, deps.clock.now());
    const refusal = account && (await proof.use?.(tx, account));
    if (refusal) return refusal;
    if (!account || !(await hasSession(tx, sessionId))) return refuse('not_signed_in');
    await recordActivity(tx, deps, 'person.stepUp.create', { userId });
    const way = proof.step ?? 'password';
    const means = meansOf(account);
    // A recovery code replaces a second step, never the first proof.
    if (proofs.recoveryCode !== undefined) means.hasPassword = true;
    return renewSession(tx, deps, sessionId, proof.method, { way, means });
  });
}

async function checkProof(deps: Deps, caller: Guesser, network: string, proofs: Given) {
  const { password, otp, appCode, passkey, recoveryCode } = proofs;
  if ([password, otp, appCode, passkey, recoveryCode].filter((proof) => proof !== undefined).length !== 1)
    return refuse('invalid_input', { fields: { password: fieldText.required } });
  if (password !== undefined)
    return (await provePassword(deps, caller, password, network)) ?? ({ method: 'pwd' } satisfies Proven);
  if (appCode !== undefined) return proveByApp(deps, caller, appCode);
  if (passkey !== undefined) return proveByPasskey(deps, caller, passkey);
  if (recoveryCode !== undefined) return proveByRecoveryCode(deps, caller, recoveryCode);
  const key = { sessionId: caller.sessionId };
  const isOwn = caller.proven === 'account';
  const counter = isOwn ? undefined : await countProof(deps, caller, 'mail');
  if (counter instanceof Refusal) return counter;
  const challenge = await answerChallenge(deps, key, isMailedCode(deps, key, otp ?? ''), {
    restricts: isOwn,
  });
  if (challenge instanceof Refusal) return challenge;
  await counter?.forget();
  return {
    method: 'otp',
    step: 'mail',
    use: (tx) => closeChallenge(tx, deps, challenge, 'mailbox'),
  } satisfies Proven;
}

/** Checks a code of the caller's app. Its `use` spends it. */
export async function proveByApp(deps: Deps, caller: Guesser, code: string) {
  const step = await checkAppCode(deps.sql, deps, caller.userId, code);
  if (step instanceof Refusal) return step;
  const counter = await countProof(deps, caller, 'app');
  if (counter instanceof Refusal) return counter;
  if (step === undefined) return refuse('otp_invalid');
  await counter.forget();
  return {
    method: 'otp',
    step: 'app',
    use: (tx) => useAppCode(tx, deps, caller.userId, step),
  } satisfies Proven;
}

/** Checks a recovery code of the caller, which proves what it replaces. */
async function proveByRecoveryCode(deps: Deps, caller: Guesser, code: string) {
  const counter = await countProof(deps, caller, 'recovery');
  if (counter instanceof Refusal) return counter;
  const hash = await checkRecoveryCode(deps.sql, deps, caller.userId, code);
  if (!hash) return refuseRecoveryCode();
  await counter.forget();
  const step = replacedStep(await findFactors(deps.sql, caller.userId));
  return {
    method: 'otp',
    step,
    use: (tx, person) => spendRecoveryCode(tx, deps, person, hash),
  } satisfies Proven;
}

const proveFlow = ({ sessionId }: SessionOwner): PasskeyFlow => ({
  purpose: 'prove',
  binding: String(sessionId),
});

async function proveByPasskey(deps: Deps, caller: SessionOwner, assertion: Assertion) {
  const proof = await checkPasskey(deps, assertion, [proveFlow(caller)]);
  if (proof instanceof Refusal) return proof;
  // Another person's passkey proves nothing about the caller.
  if (proof.userId !== caller.userId) return refuse('passkey_invalid');
  return {
    method: proof.method,
    step: 'passkey',
    use: (tx, person) => usePasskey(tx, deps, person, proof),
  } satisfies Proven;
}

export const requestProofPasskey = async (deps: Deps, caller: SessionOwner) =>
  supportsPasskeys(deps) && (await findFactors(deps.sql, caller.userId)).passkeys > 0
    ? passkeyRequest(deps, proveFlow(caller), caller.userId)
    : refuse('not_allowed', { details: text.noWayToProve });

async function findMeans(deps: Deps, userId: UserId, sql: Db = deps.sql): Promise<OwnMeans> {
  const account = await findAccountById(sql, userId, deps.clock.now());
  return {
    ...(await findFactors(sql, userId)),
    isTwoStepOn: account?.mfa_enabled === true,
    hasPassword: account !== undefined && account.password !== null,
    hasAddress: typeof account?.email === 'string',
    takesPasskeys: supportsPasskeys(deps),
    rule: strictestStep(await listMemberships(sql, userId)).rule,
  };
}

/** The proofs that a person can give, the quickest first. */
export const findProofs = async (deps: Deps, userId: UserId) => proofsOf(await findMeans(deps, userId));

const proofsBy: Partial<Record<Method, (typeof PROOFS)[number]>> = {
  pwd: 'password',
  otp: 'mail',
  hwk: 'passkey',
  swk: 'passkey',
};
/** The proofs that the caller can give: the way of this session's sign-in, then the quickest. */
async function listProofs(deps: Deps, { sessionId, proven }: Prover, means: OwnMeans) {
  const [signedInBy] = await findMethods(deps.sql, sessionId);
  const isFirst = (proof: string) => signedInBy !== undefined && proofsBy[signedInBy] === proof;
  const ways = proofsOf(means, proven === 'first');
  return ways.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
}

export type Prover = SessionOwner & Session;
/** The ways to meet a rule for second steps, and who else can help a person who has lost them. */
export async function readSteps(deps: Deps, caller: Prover, step: 'any' | 'strong') {
  const means = await findMeans(deps, caller.userId);
  const helper = await findHelper(deps.sql, caller.userId, deps.clock.now());
  return {
    ways: waysToStep(await listProofs(deps, caller, means), step, means),
    ...(helper && { helper }),
  };
}

/** The ways to prove the person, and after a visit the half of the account's proof that comes next. */
export async function readProofs(deps: Deps, caller: Prover) {
  const means = await findMeans(deps, caller.userId);
  const ways = await listProofs(deps, caller, means);
  const company = await findProvingCompany(deps.sql, caller.sessionId);
  const half = caller.proven === 'first' ? ('second' as const) : ('first' as const);
  const isWhole = await servesAccount(deps.sql, caller);
  return {
    ways,
    ...(company && { company: company.organization }),
    ...(!isWhole && { missing: { half, ways: waysToAccount(ways, caller, means) } }),
  };
}

export type Guesser = SessionOwner & Pick<Session, 'proven'>;
/** Before the check. A right one forgets tries of its kind only: a known password must not refill guesses of codes. */
async function countProof({ limiter }: Deps, { userId, sessionId, proven }: Guesser, kind: Guessed) {
  const { own, unproven } = guessesOf(kind, userId);
  const counters = {
    session: `${kind} in session ${sessionId}`,
    person: proven === 'account' ? own : unproven,
  };
  const tooSoon = await limiter.tryOnce(counters.session);
  if (tooSoon) return tooSoon;
  if (!(await limiter.tryOneOf(FAILURES_MAX, counters.person)))
    return refuse('too_many_requests', { limit: 'proofs', details: text.tooManyProofs });
  return { forget: () => limiter.forget([counters.session, counters.person]) };
}

/** Proves the caller by their password. Returns undefined if it is right. */
export async function provePassword(deps: Deps, caller: Guesser, password: string, network: string) {
  const counter = await countProof(deps, caller, 'password');
  if (counter instanceof Refusal) return counter;
  const stored = await findPassword(deps.sql, caller.userId);
  const matches = await deps.passwords.matches(password, stored, network);
  if (matches instanceof Refusal) return matches;
  if (!matches) return refuse('wrong_password');
  await counter.forget();
  return undefined;
}

export async function mailProofCode(deps: Deps, caller: Prover) {
  const { userId, sessionId } = caller;
  const takesCode = async (sql: Db) =>
    proofsOf(await findMeans(deps, userId, sql), caller.proven === 'first').includes('mail');
  if (!(await takesCode(deps.sql))) return refuse('not_allowed', { details: text.noWayToProve });
  const renewed = await renewChallenge(deps, { sessionId }, 'stepUpCode');
  if (!(renewed instanceof Refusal) || renewed.name !== 'otp_expired') return renewed;
  const tooMany = await countCodeMail(deps, userId);
  if (tooMany) return tooMany;
  // Serialised with a concurrent address change, which ends codes sent to the earlier address.
  return inSession(deps, caller, async (tx, lockedAccount) => {
    if (!lockedAccount.email || !(await takesCode(tx)))
      return refuse('not_allowed', { details: text.noWayToProve });
    const person = { id: userId, email: lockedAccount.email };
    return startChallenge(tx, deps, person, { sessionId }, 'stepUpCode');
  });
}
