import { isStrong, type ProvenStep, type SecondStepRule } from '#contract/organizations/second-step-rule.ts';

type Rule = { readonly rule: SecondStepRule; readonly from: Date | null };
/** Whether a session with this second step may enter an organization with this rule now: `isRuleMet` in JavaScript. */
export const meetsRule = ({ rule, from }: Rule, step: ProvenStep | null, now: Date) =>
  rule === 'none' || from === null || from > now || (step !== null && (rule === 'any' || isStrong(step)));
