import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { actNamed, type ActName } from '#contract/operator/acts.ts';
import { DESK_PROOFS, type deskEntry } from '#contract/operator/desk.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import type { Details } from '#contract/activity/recorded.ts';
import { recordActivity } from '#server/activity/data.ts';
import type { ClientOrigin } from '#server/origin.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Shown } from '#server/operator/work.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { personName } from '#contract/profile/person-name.ts';
import { runAct } from '#server/operator/acts/actions.ts';
import type { FoundPerson } from '#server/operator/data.ts';
import { endStay, findStay, lockStay, saveStay, touchStay } from '#server/operator/desk/data.ts';
import { endOf, isFresh, serves } from '#server/operator/desk/rules.ts';
import { no } from '#server/operator/lines.ts';
import {
  findOperator,
  isRestrictedByOperator,
  isSuperAdminSomewhere,
  listProofs,
} from '#server/operator/operators/data.ts';
import { tellOperators } from '#server/operator/operators/operators.ts';
import {
  checkPasskey,
  type PasskeyFlow,
  passkeyRequest,
  usePasskey,
} from '#server/sign-in/factors/actions.ts';
import { proveByApp } from '#server/sign-in/step-up/actions.ts';

type Caller = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly fullName: string;
};
const nameOf = ({ fullName, userId }: Caller) => `${fullName} (${userId})`;

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
  return { level: operator.level, openUntil: end && end > deps.clock.now() ? end : null, ways };
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
    if (!account || !operator) return refuse('not_allowed');
    const refusal = await proof.use?.(tx, account);
    if (refusal) return refusal;
    const now = deps.clock.now();
    const stay = await lockStay(tx, sessionId);
    const openedAt = stay && endOf(stay) > now ? stay.opened_at : now;
    await saveStay(tx, { sessionId, userId, openedAt, now });
    await recordActivity(tx, deps, 'person.stepUp.create', { userId });
    return { openUntil: endOf({ opened_at: openedAt, seen_at: now }) };
  });
}

export async function leaveDesk(deps: Deps, { sessionId }: Caller) {
  await endStay(deps.sql, sessionId);
  return {};
}

/** Why an operator may not act on this person. */
async function whyNotOn(
  tx: Tx,
  deps: Deps,
  caller: Caller,
  act: ActName,
  level: string,
  { id }: FoundPerson,
) {
  if (id === caller.userId) return no('not_allowed', 'You cannot act on your own account.');
  if (await findOperator(tx, id)) return no('not_allowed', 'Nobody acts on another operator from the desk.');
  if (level === 'support' && (await isSuperAdminSomewhere(tx, id)))
    return no('not_allowed', 'They are Super Admin of an organization, so a full operator has to do it.');
  if (level === 'support' && act === 'lift' && (await isRestrictedByOperator(tx, id, deps.clock.now())))
    return no('not_allowed', 'An operator restricted the account, so a full operator has to lift it.');
  return undefined;
}

const SHOWN = 20;
const LETTERS = 3;
/** Addresses stay masked unless the operator typed one whole. */
function masked(sought: string, { data }: Shown): Shown {
  const people = (data as readonly (FoundPerson & { memberships: readonly { name: string }[] })[])
    .slice(0, SHOWN)
    .map(({ id, first_name: first, last_name: last, email, memberships }) => ({
      id,
      name: personName(first, last, null) || '(no name)',
      email: email === null || email === sought.toLowerCase() ? email : maskEmail(email),
      organizations: memberships.map(({ name }) => name),
    }));
  return {
    lines: people.map(({ id, name, email }) => `${id}  ${name}  ${email ?? '(no address)'}`),
    data: people,
  };
}

/** Past their budget the operator waits, and all full operators hear of it. */
async function spend(deps: Deps, caller: Caller, kind: 'People' | 'Acts') {
  const by = `operator ${caller.userId}`;
  const full = await deps.limiter.takeInTurn([
    [`desk${kind}Hour`, by],
    [`desk${kind}Day`, by],
  ]);
  if (full && !(await deps.limiter.take('deskNewsHour', by)))
    await transaction(deps.sql, (tx) => tellOperators(tx, deps, 'budget', nameOf(caller), 'full'));
  return full?.refusal;
}

/**
 * Runs an act for the operator of this session. Level, stay and proof are checked under the lock under which the act, or
 * the row of a look, is written.
 */
export async function runAtDesk(
  deps: Deps,
  caller: Caller,
  { ipAddress: from }: Pick<ClientOrigin, 'ipAddress'>,
  name: ActName,
  input: Readonly<Record<string, unknown>>,
) {
  const stay = await findStay(deps.sql, caller.sessionId);
  if (!stay || endOf(stay) <= deps.clock.now()) return refuse('reauthentication_required');
  const { row, on: kind } = actNamed(name);
  const sought = typeof input['words'] === 'string' ? input['words'].trim() : '';
  if (name === 'find' && sought.length < LETTERS)
    return no('invalid_input', 'Please type at least three letters.');
  const isChange = row !== undefined;
  if (isChange && input['reason'] === undefined) return no('invalid_input', 'Please give a reason.');
  const full =
    isChange || kind === 'person' ? await spend(deps, caller, isChange ? 'Acts' : 'People') : undefined;
  if (full) return full;
  const admit = async (tx: Tx, on: unknown) => {
    const now = deps.clock.now();
    const locked = await lockStay(tx, caller.sessionId);
    if (!locked || endOf(locked) <= now || locked.level !== stay.level)
      return refuse('reauthentication_required');
    if (isChange && !isFresh(locked.proven_at, now)) return refuse('reauthentication_required');
    const person = kind === 'person' ? (on as FoundPerson) : undefined;
    const refusal = isChange && person && (await whyNotOn(tx, deps, caller, name, locked.level, person));
    if (refusal) return refusal;
    await touchStay(tx, caller.sessionId, now);
    if (!isChange)
      await recordActivity(tx, deps, 'operator.auditLog.read', {
        userId: OPERATOR_ID as UserId,
        recordId: person?.id,
        information: { act: name, operator: nameOf(caller), from } as Details,
      });
    return undefined;
  };
  const operator = { name: nameOf(caller), level: stay.level, from, admit };
  const answer = await runAct(deps, operator, name, input);
  if (answer instanceof Refusal) return answer;
  const { lines, data } = name === 'find' ? masked(sought, answer) : answer;
  return { lines: [...lines], data };
}
