// Runs the acts of operators who work in the browser, with all that protects people from a thief at the desk.
import { maskEmail } from '#contract/accounts/mask.ts';
import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { Level } from '#contract/operator/act.ts';
import { actNamed, type ActName } from '#contract/operator/acts.ts';
import { isLook, type Listed, looks } from '#contract/operator/looks.ts';
import type { deskAnswer } from '#contract/operator/desk.ts';
import type { UserId } from '#contract/wire.ts';
import { findAccountById, lockAccount } from '#server/accounts/data.ts';
import { blockOf } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { DAY_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { inEnglish } from '#server/language.ts';
import { mayRun, type Operator, prepare, refusalOf, runAct } from '#server/operator/acts/actions.ts';
import type { FoundPerson } from '#server/operator/data.ts';
import { after } from '#server/operator/acts/handlers.ts';
import { takeRequest, wasStoppedSince, wasToldOfLook } from './data.ts';
import { askSecond, takesTwo } from './requests.ts';
import { type Caller, nameOf } from '#server/operator/entry/actions.ts';
import { findStay, lockStay, touchStay } from '#server/operator/entry/data.ts';
import { endOf, isFresh } from '#server/operator/entry/rules.ts';
import { no } from '#server/operator/lines.ts';
import {
  findOperator,
  findRequest,
  isRestrictedByOperator,
  isSuperAdminSomewhere,
} from '#server/operator/operators/data.ts';
import { operatorName, tellOperators } from '#server/operator/operators/operators.ts';
import { lineOf } from '#server/operator/subjects.ts';
import type { Shown } from '#server/operator/work.ts';
import type { ClientOrigin } from '#server/origin.ts';

/** Whether an act waits for a stranger's server. */
export const waitsForServer = (name: ActName) => after[name] !== undefined;

/** Why an operator may not act on this person. */
async function whyNotOn(
  tx: Tx,
  deps: Deps,
  caller: Pick<Caller, 'userId'>,
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
function masked(sought: string, { data }: Shown<readonly Listed[]>): Shown<readonly Listed[]> {
  const people = data.slice(0, SHOWN).map(({ email, ...person }) => ({
    ...person,
    email: email === null || email === sought.toLowerCase() ? email : maskEmail(email),
  }));
  return { lines: people.map((person) => lineOf(person.name, person)), data: people };
}

/** Past their budget the operator waits, and all full operators hear of it. */
async function spend(deps: Deps, caller: Caller, kind: 'People' | 'Found' | 'Acts') {
  const by = `operator ${caller.userId}`;
  const full = await deps.limiter.takeInTurn([
    [`desk${kind}Hour`, by],
    [`desk${kind}Day`, by],
  ]);
  if (full && !(await deps.limiter.take('deskNewsHour', by)))
    await transaction(deps.sql, (tx) => tellOperators(tx, deps, 'budget', nameOf(caller), 'full'));
  return full?.refusal;
}

type Values = Readonly<Record<string, unknown>>;
type From = Pick<ClientOrigin, 'ipAddress'>;

/** Level, stay, proof and subject, checked under the lock under which an act, or the row of a look, is written. */
async function admit(tx: Tx, deps: Deps, caller: Caller, name: ActName, level: Level, on: unknown) {
  const now = deps.clock.now();
  const { row, on: kind } = actNamed(name);
  const stay = await lockStay(tx, caller.sessionId);
  const isOpen = stay && endOf(stay) > now && stay.level === level;
  if (!isOpen || (row !== undefined && !isFresh(stay.proven_at, now)))
    return refuse('reauthentication_required');
  const person = kind === 'person' ? (on as FoundPerson) : undefined;
  if (row !== undefined && person) {
    const refusal = await whyNotOn(tx, deps, caller, name, level, person);
    if (refusal) return refusal;
  }
  await touchStay(tx, caller.sessionId, now);
  return undefined;
}

/** Writes the row of a look, and tells the person once a day that support looked. */
async function recordLook(tx: Tx, deps: Deps, caller: Caller, from: string, name: ActName, on: unknown) {
  const person = actNamed(name).on === 'person' ? (on as FoundPerson) : undefined;
  await recordActivity(tx, deps, 'operator.auditLog.read', {
    userId: OPERATOR_ID as UserId,
    recordId: person?.id,
    information: { act: name, operator: nameOf(caller), from },
  });
  const aDayAgo = new Date(deps.clock.now().getTime() - DAY_MS);
  if (person && !(await wasToldOfLook(tx, person.id, aDayAgo)))
    await notify(tx, deps, person.id, { kind: 'operator_looked' });
}

/** Runs an act for the operator of this session, or keeps it for a second one. */
export async function runAtDesk(
  deps: Deps,
  caller: Caller,
  { ipAddress: from }: From,
  name: ActName,
  input: Values,
) {
  const stay = await findStay(deps.sql, caller.sessionId);
  if (!stay || endOf(stay) <= deps.clock.now()) return refuse('reauthentication_required');
  const { row } = actNamed(name);
  const shows = isLook(name) ? looks[name].shows : 'nobody';
  const sought = typeof input['words'] === 'string' ? input['words'].trim() : '';
  if (shows === 'people' && sought.length < LETTERS)
    return no('invalid_input', 'Please type at least three letters.');
  const isChange = row !== undefined;
  if (isChange && input['reason'] === undefined) return no('invalid_input', 'Please give a reason.');
  // Checked again under lock; here, so that an act that asks for a proof spends no budget.
  if (isChange && !isFresh(stay.proven_at, deps.clock.now())) return refuse('reauthentication_required');
  const full =
    isChange || shows === 'person' ? await spend(deps, caller, isChange ? 'Acts' : 'People') : undefined;
  if (full) return full;
  const { level } = stay;
  const operator = {
    name: nameOf(caller),
    level,
    from,
    admit: async (tx: Tx, on: unknown) => {
      const refusal = await admit(tx, deps, caller, name, level, on);
      if (!refusal && !isChange) await recordLook(tx, deps, caller, from, name, on);
      return refusal;
    },
  };
  const kept = actNamed(name).takesTwo
    ? await inEnglish(() => askIfNeeded(deps, caller, operator, name, input))
    : undefined;
  const answer = kept ?? (await runAct(deps, operator, name, input));
  if (answer instanceof Refusal) return answer;
  if (shows !== 'people') return { lines: [...answer.lines], data: answer.data };
  const { lines, data } = masked(sought, answer as Shown<readonly Listed[]>);
  for (const _person of data) {
    const spent = await spend(deps, caller, 'Found');
    if (spent) return spent;
  }
  return { lines: [...lines], data };
}

type AtDesk = Operator & { readonly from: string; readonly admit: NonNullable<Operator['admit']> };
async function askIfNeeded(deps: Deps, caller: Caller, operator: AtDesk, name: ActName, input: Values) {
  const ready = await prepare(deps, operator, name, input);
  if (ready instanceof Refusal) return ready;
  const { on } = ready;
  if (!takesTwo(name, input, on)) return undefined;
  // A second operator must not be asked for what cannot be done.
  const impossible = await refusalOf(deps, operator, ready);
  if (impossible) return impossible;
  const kind = ready.act.on;
  const personId = kind === 'person' ? (on as FoundPerson).id : null;
  // By its id, because another one may answer to the same words when it runs.
  const id = personId ?? (on as { client_id?: string } | undefined)?.client_id;
  const exact = kind === undefined ? input : { ...input, [kind]: String(id) };
  return transaction(deps.sql, async (tx) => {
    const refusal = await operator.admit(tx, on);
    if (refusal) return refusal;
    const { name: who, from } = operator;
    return askSecond(tx, deps, { name, input: exact, personId, by: caller.userId, operator: who, from });
  });
}

type Request = NonNullable<Awaited<ReturnType<typeof findRequest>>>;
const actOf = ({ act }: Request) => act as ActName;
const gone = () => no('not_found', 'This request is gone.');

/** Takes the request under lock, with everything that was asked of it when it was made. */
async function takeAgain(tx: Tx, deps: Deps, request: Request, on: unknown) {
  const { id, person_id: personId, asked_by: userId, asked_at: askedAt } = request;
  const now = deps.clock.now();
  // Locked first, as an objection does. Other acts lock in an order of their own.
  if (personId !== null && actOf(request) === 'reset-second-steps') await lockAccount(tx, personId, now);
  if (!(await takeRequest(tx, id))) return gone();
  const asker = await findOperator(tx, userId);
  const account = await findAccountById(tx, userId, now);
  const isStill = asker && account && mayRun(asker.level, actNamed(actOf(request))) && !blockOf(account);
  if (!isStill || (await wasStoppedSince(tx, userId, askedAt)))
    return no('not_allowed', 'The operator who asked may not do this any more.');
  if (personId === null) return undefined;
  if (await wasStoppedSince(tx, personId, askedAt)) return no('not_allowed', 'The person has objected.');
  return whyNotOn(tx, deps, { userId }, actOf(request), asker.level, on as FoundPerson);
}

const recordRefused = (tx: Tx, deps: Deps, request: Request, operator: string, from?: string) =>
  recordActivity(tx, deps, 'operator.auditLog.change', {
    userId: OPERATOR_ID as UserId,
    recordId: request.person_id ?? undefined,
    information: { agreed: false, act: actOf(request), operator, from },
  });

/** A second operator agrees, and the act runs, or refuses it. */
export async function answerRequest(
  deps: Deps,
  caller: Caller,
  { ipAddress: from }: From,
  { id, agree }: Input<typeof deskAnswer>,
) {
  const now = deps.clock.now();
  const stay = await findStay(deps.sql, caller.sessionId);
  if (!stay || endOf(stay) <= now) return refuse('reauthentication_required');
  const request = await findRequest(deps.sql, id);
  if (!request || (request.due_at === null && now.getTime() - request.asked_at.getTime() >= DAY_MS))
    return gone();
  const name = actOf(request);
  if (request.asked_by === caller.userId) return no('not_allowed', 'Another operator has to answer it.');
  if (!mayRun(stay.level, actNamed(name))) return refuse('not_allowed');
  const full = await spend(deps, caller, 'Acts');
  if (full) return full;
  const mine = (tx: Tx, on: unknown) => admit(tx, deps, caller, name, stay.level, on);
  if (!agree)
    return transaction(deps.sql, async (tx) => {
      const on = request.person_id === null ? undefined : ({ id: request.person_id } as FoundPerson);
      const refusal = (await mine(tx, on)) ?? ((await takeRequest(tx, id)) ? undefined : gone());
      if (refusal) return refusal;
      await recordRefused(tx, deps, request, nameOf(caller), from);
      return { lines: ['Refused.'], data: null };
    });
  const operator = {
    name: `${operatorName({ ...request, id: request.asked_by })}, with ${nameOf(caller)}`,
    level: request.level,
    from,
    admit: async (tx: Tx, on: unknown) => (await mine(tx, on)) ?? takeAgain(tx, deps, request, on),
  };
  const answer = await runAct(deps, operator, name, request.input);
  return answer instanceof Refusal ? answer : { lines: [...answer.lines], data: answer.data };
}

/** Runs a request whose day has passed. One that may not happen any more is dropped. */
export async function runDue(deps: Deps, id: number): Promise<void> {
  const request = await findRequest(deps.sql, id);
  if (!request?.due_at || request.due_at > deps.clock.now()) return;
  const operator = {
    name: operatorName({ ...request, id: request.asked_by }),
    level: request.level,
    admit: (tx: Tx, on: unknown) => takeAgain(tx, deps, request, on),
  };
  const answer = await runAct(deps, operator, actOf(request), request.input);
  if (!(answer instanceof Refusal)) return;
  await transaction(deps.sql, async (tx) => {
    if (await takeRequest(tx, id)) await recordRefused(tx, deps, request, operator.name);
  });
}
