import type { SecondStep } from '#contract/sign-in/calls.ts';

/** The second step that a session was proven with. `provider` is the second step of another provider. */
export type ProvenStep = SecondStep | 'provider';

/**
 * How far a session has proven the account. A visit to a company's provider proves nothing of it; `first` is one of the
 * two proofs that two-step sign-in takes.
 */
export type Proven = 'company' | 'first' | 'account';

export const SECOND_STEP_RULES = ['none', 'any', 'strong'] as const;
export type SecondStepRule = (typeof SECOND_STEP_RULES)[number];

export const isWithin = (rule: SecondStepRule, strictest: SecondStepRule) =>
  SECOND_STEP_RULES.indexOf(rule) <= SECOND_STEP_RULES.indexOf(strictest);

/** Second steps that a mailbox alone does not open. A recovery code replaces a lost one. */
export const STRONG_STEPS: readonly SecondStep[] = ['passkey', 'app', 'recovery'];
export const isStrong = (step: string) => STRONG_STEPS.some((strong) => strong === step);
