import type { OrgId } from '#contract/wire.ts';
import {
  isStrong,
  type NoEntry,
  type ProvenStep,
  type SecondStepRule,
} from '#contract/organizations/second-step-rule.ts';

type Rule = { readonly rule: SecondStepRule; readonly from: Date | null };
/** Whether a session with this second step may enter an organization with this rule now: `noEntry` in SQL. */
export const meetsRule = ({ rule, from }: Rule, step: ProvenStep | null, now: Date) =>
  rule === 'none' || from === null || from > now || (step !== null && (rule === 'any' || isStrong(step)));

/** The proofs of a session. After a visit to a company's provider, the account itself is not proven. */
export type Proofs = {
  readonly secondStep: ProvenStep | null;
  readonly accountProven: boolean;
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

/** Why a session may not enter an organization now: `noEntry` in SQL. */
export function whyNoEntry(asked: Asked, proofs: Proofs, now: Date): NoEntry | undefined {
  const hasEntered = proofs.entered.includes(asked.orgId);
  const breaksGlass = asked.isSuperAdmin && proofs.secondStep !== null && isStrong(proofs.secondStep);
  if (asked.companyFrom !== null && asked.companyFrom <= now && !hasEntered && !breaksGlass)
    return 'company_sign_in_required';
  if (!proofs.accountProven && !hasEntered) return 'account_proof_required';
  const hasStep = proofs.enteredWithStep.includes(asked.orgId) || meetsRule(asked, proofs.secondStep, now);
  return hasStep ? undefined : 'second_step_required';
}
