import type { SecondStep } from '#contract/sign-in/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import {
  isStrong,
  type NoEntry,
  type Proven,
  type ProvenStep,
  type SecondStepRule,
} from '#contract/organizations/second-step-rule.ts';

type Rule = { readonly rule: SecondStepRule; readonly from: Date | null };
/** Whether a session with this second step may enter an organization with this rule now: `noEntry` in SQL. */
export const meetsRule = ({ rule, from }: Rule, step: ProvenStep | null, now: Date) =>
  rule === 'none' || from === null || from > now || (step !== null && (rule === 'any' || isStrong(step)));

/** Whether a proof is recent enough for sensitive calls. A window of 0 accepts any. */
export const isRecentProof = (provenAt: Date, now: Date, windowMinutes: number): boolean =>
  windowMinutes === 0 || now.getTime() - provenAt.getTime() < windowMinutes * 60_000;

export type Proofs = {
  readonly secondStep: ProvenStep | null;
  readonly proven: Proven;
  /** The organizations that it entered through their provider, and those for which it gave a second step there. */
  readonly entered: readonly OrgId[];
  readonly enteredWithStep: readonly OrgId[];
};
type Asked = Rule & {
  readonly orgId: OrgId;
  /** From when the member must come through the company's provider; null if they need not. */
  readonly companyFrom: Date | null;
  /** They keep their own way in, with a strong step, for the day when the provider is broken. */
  readonly isSuperAdmin?: boolean;
};

/** Whether a company closes the person's own ways in: not to a Super Admin with a strong step, nor while they link the two. */
export const closesOwnWay = (
  company: { readonly isSuperAdmin: boolean; readonly isLinking: boolean },
  step: ProvenStep | null | undefined,
) => !company.isLinking && !(company.isSuperAdmin && step && isStrong(step));

/** Why a session may not enter an organization now: `noEntry` in SQL. */
export function whyNoEntry(asked: Asked, proofs: Proofs, now: Date): NoEntry | undefined {
  const hasEntered = proofs.entered.includes(asked.orgId);
  const breaksGlass = asked.isSuperAdmin && proofs.secondStep !== null && isStrong(proofs.secondStep);
  if (asked.companyFrom !== null && asked.companyFrom <= now && !hasEntered && !breaksGlass)
    return 'company_sign_in_required';
  if (proofs.proven !== 'account' && !hasEntered) return 'account_proof_required';
  const hasStep = proofs.enteredWithStep.includes(asked.orgId) || meetsRule(asked, proofs.secondStep, now);
  return hasStep ? undefined : 'second_step_required';
}

export type Shown = Pick<Proofs, 'proven' | 'secondStep'>;
export type Means = { readonly isTwoStepOn: boolean; readonly hasPassword: boolean };
export type Way = SecondStep | 'password';

/**
 * The proofs that a session has shown after one more. The account takes what a sign-in would take: with two-step sign-in on,
 * a first proof and a second step, in any order. A mailed code is never both.
 */
export function withProof(shown: Shown, { isTwoStepOn, hasPassword }: Means, way: Way): Shown {
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
  means: Means,
  ways: readonly W[],
  later: readonly Way[],
): W[] =>
  ways.filter((way) => {
    const after = withProof(shown, means, way);
    const completed = [after, ...later.map((next) => withProof(after, means, next))];
    return after.proven !== shown.proven && completed.some(({ proven }) => proven === 'account');
  });
