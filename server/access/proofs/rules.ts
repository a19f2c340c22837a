// How the proofs of a session add up.
import { isStrong, type ProvenStep } from '#contract/organizations/second-step-rule.ts';
import type { SecondStep } from '#contract/sign-in/calls.ts';
import type { Session } from '#contract/access/facts.ts';

export type Shown = Pick<Session, 'proven' | 'secondStep'>;
/** The ways into an account as a sign-in would take them. */
export type WaysIn = { readonly isTwoStepOn: boolean; readonly hasPassword: boolean };
export type Way = SecondStep | 'password';

/**
 * The proofs that a session has shown after one more. The account takes what a sign-in would take: with two-step sign-in on,
 * a first proof and a second step, in any order. A mailed code is never both.
 */
export function withProof(shown: Shown, { isTwoStepOn, hasPassword }: WaysIn, way: Way): Shown {
  if (shown.proven === 'account') return { ...shown, secondStep: withStep(shown.secondStep, way) };
  const isMailFirst = way === 'mail' && !hasPassword;
  const secondStep = isMailFirst ? shown.secondStep : withStep(shown.secondStep, way);
  const hasFirst = shown.proven === 'first' || way === 'password' || way === 'passkey' || isMailFirst;
  // The company's second step counts in its organization only.
  const hasOwnStep = secondStep !== null && secondStep !== 'provider';
  if (!hasFirst || (isTwoStepOn && !hasOwnStep))
    return { proven: hasFirst ? 'first' : 'company', secondStep };
  return { proven: 'account', secondStep: hasOwnStep ? secondStep : null };
}

/** The stronger one of two second steps. */
export const withStep = (before: ProvenStep | null, way: Way) =>
  way === 'password' || (before !== null && isStrong(before) && !isStrong(way)) ? before : way;

/** Of these ways, those that complete the account's proof or leave it to one of the `later` ways. */
export const waysOn = <W extends Way>(
  shown: Shown,
  means: WaysIn,
  ways: readonly W[],
  later: readonly Way[],
): W[] =>
  ways.filter((way) => {
    const after = withProof(shown, means, way);
    const completed = [after, ...later.map((next) => withProof(after, means, next))];
    return after.proven !== shown.proven && completed.some(({ proven }) => proven === 'account');
  });
