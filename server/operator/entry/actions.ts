import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { DESK_PROOFS, type deskEntry } from '#contract/operator/desk.ts';
import type { UserId } from '#contract/wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { endStay, findStay, lockStay, saveStay } from './data.ts';
import { endOf, serves } from './rules.ts';
import { findOperator, listProofs, listRequests } from '#server/operator/operators/data.ts';
import {
  checkPasskey,
  type PasskeyFlow,
  passkeyRequest,
  usePasskey,
} from '#server/sign-in/factors/actions.ts';
import { type Guesser, proveByApp } from '#server/sign-in/step-up/actions.ts';

/** Somebody in their own session of the portal, who may be an operator. */
export type Caller = Guesser & { readonly fullName: string };
export const nameOf = ({ fullName, userId }: Caller) => `${fullName} (${userId})`;

/** The operator's ways to prove who they are: for full operators a passkey, for support also an app. */
async function proofsOf(deps: Deps, userId: UserId) {
  const operator = await findOperator(deps.sql, userId);
  if (!operator) return null;
  const now = deps.clock.now();
  const proofs = (await listProofs(deps.sql, userId)).filter(
    ({ way, created_at: at }) =>
      serves(at, operator.named_at, now) && (way === 'passkey' || operator.level === 'support'),
  );
  return { ...operator, proofs };
}

export const isOperator = async (deps: Deps, userId: UserId) =>
  (await findOperator(deps.sql, userId)) !== undefined;

export async function readDesk(deps: Deps, { userId, sessionId }: Caller) {
  const operator = await proofsOf(deps, userId);
  if (!operator) return refuse('not_allowed');
  const stay = await findStay(deps.sql, sessionId);
  const end = stay && endOf(stay);
  const ways = DESK_PROOFS.filter((way) => operator.proofs.some((proof) => proof.way === way));
  const now = deps.clock.now();
  return {
    id: userId,
    level: operator.level,
    openUntil: end && end > now ? end : null,
    ways,
    waiting: (await listRequests(deps.sql, now)).length,
  };
}

/** Its own purpose, so that a signature for the desk comes from nowhere else. */
const flowOf = ({ sessionId }: Caller): PasskeyFlow => ({ purpose: 'desk', binding: String(sessionId) });

export async function requestPasskey(deps: Deps, caller: Caller) {
  const operator = await proofsOf(deps, caller.userId);
  return operator?.proofs.some(({ way }) => way === 'passkey')
    ? passkeyRequest(deps, flowOf(caller), caller.userId)
    : refuse('not_allowed');
}

async function checkProof(deps: Deps, caller: Caller, { passkey, appCode }: Input<typeof deskEntry.enter>) {
  const operator = await proofsOf(deps, caller.userId);
  if (!operator || (passkey === undefined) === (appCode === undefined)) return refuse('not_allowed');
  if (passkey === undefined) {
    if (!operator.proofs.some(({ way }) => way === 'app')) return refuse('not_allowed');
    return proveByApp(deps, caller, appCode ?? '');
  }
  const id = Buffer.from(passkey.id, 'base64url');
  if (!operator.proofs.some(({ way, credential_id: own }) => way === 'passkey' && id.equals(own)))
    return refuse('not_allowed');
  const proof = await checkPasskey(deps, passkey, [flowOf(caller)]);
  if (proof instanceof Refusal) return proof;
  return { use: (tx: Tx, account: Parameters<typeof usePasskey>[2]) => usePasskey(tx, deps, account, proof) };
}

/** Opens the desk in this session, or renews its proof. A stay that is open keeps its beginning. */
export async function enterDesk(deps: Deps, caller: Caller, input: Input<typeof deskEntry.enter>) {
  const proof = await checkProof(deps, caller, input);
  if (proof instanceof Refusal) return proof;
  return transaction(deps.sql, async (tx) => {
    const { userId, sessionId } = caller;
    const account = await lockAccount(tx, userId, deps.clock.now());
    const operator = await findOperator(tx, userId);
    // The level may have risen since the proof was checked.
    const isEnough = operator?.level === 'support' || input.passkey !== undefined;
    if (!account || !operator || !isEnough) return refuse('not_allowed');
    const refusal = await proof.use?.(tx, account);
    if (refusal) return refusal;
    const now = deps.clock.now();
    const stay = await lockStay(tx, sessionId);
    const times = { opened_at: stay && endOf(stay) > now ? stay.opened_at : now, seen_at: now };
    await saveStay(tx, { session_id: sessionId, operator_id: userId, ...times, proven_at: now });
    await recordActivity(tx, deps, 'person.stepUp.create', { userId });
    return { openUntil: endOf(times) };
  });
}

export async function leaveDesk(deps: Deps, { sessionId }: Caller) {
  await transaction(deps.sql, (tx) => endStay(tx, sessionId));
  return {};
}
