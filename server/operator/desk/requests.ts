import { OPERATOR_ID } from '#contract/activity/calls.ts';
import { type Refusal, refuse } from '#contract/errors.ts';
import { actNamed, type ActName } from '#contract/operator/acts.ts';
import type { UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { findAccountById } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { deleteExpired, insertRequest, wasStoppedSince } from './data.ts';
import { resetAskedNotice } from './mail.ts';
import { no } from '#server/operator/lines.ts';
import { tellOperators } from '#server/operator/operators/operators.ts';
import type { Shown } from '#server/operator/work.ts';

type Input = Readonly<Record<string, unknown>>;
const STOPPED_MS = 7 * DAY_MS;

/** Whether this use of an act takes a second operator at the desk. */
export const takesTwo = (name: ActName, input: Input, on: unknown): boolean => {
  const { takesTwo: when } = actNamed(name);
  const isFirstParty =
    input['first-party'] === true ||
    (on as { is_first_party?: boolean } | undefined)?.is_first_party === true;
  return when === 'always' || (when === 'first-party' && isFirstParty);
};

export type Asked = {
  readonly name: ActName;
  readonly input: Input;
  readonly personId: UserId | null;
  readonly by: UserId;
  readonly operator: string;
  readonly from: string;
};

/**
 * Keeps an act until a second operator agrees. A reset of second steps also happens by itself after a day, unless its
 * person objects by the link in their mail, which also blocks a repeat for seven days.
 */
export async function askSecond(tx: Tx, deps: Deps, asked: Asked): Promise<Shown | Refusal> {
  const { name, input, personId, by, operator, from } = asked;
  const now = deps.clock.now();
  const account = personId === null ? undefined : await findAccountById(tx, personId, now);
  if (personId !== null && !account) return refuse('user_not_found');
  await deleteExpired(tx, now);
  const isReset = name === 'reset-second-steps';
  if (isReset && account && (await wasStoppedSince(tx, account.id, new Date(now.getTime() - STOPPED_MS))))
    return no('not_allowed', 'The person has objected within the last seven days.');
  const dueAt = isReset && account?.email && account.confirmed_at ? fromNow(deps.clock, DAY_MS) : null;
  const request = { act: name, input: JSON.stringify(input), person_id: personId, asked_by: by };
  const id = await insertRequest(tx, { ...request, asked_at: now, due_at: dueAt });
  if (id === undefined) return no('no_changes', 'This waits for a second operator already.');
  await recordActivity(tx, deps, 'operator.auditLog.change', {
    userId: OPERATOR_ID as UserId,
    recordId: personId ?? undefined,
    information: { asked: true, reason: input['reason'], act: name, operator, from },
  });
  if (dueAt && account) {
    await enqueue(tx, deps, { kind: 'desk-request', payload: { id }, runAt: dueAt, userId: account.id });
    await mailNotice(tx, deps, account, resetAskedNotice(dueAt, account.time_zone));
  }
  await tellOperators(tx, deps, 'asked', operator, actNamed(name).level === 'full' ? 'full' : undefined);
  const when = dueAt ? `, at the latest at ${dueAt.toISOString()}` : '';
  return { lines: [`It happens once a second operator agrees${when}.`], data: { request: id } };
}
