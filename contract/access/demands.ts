/**
 * Demands of a place on a person, in the order in which they are met, and how a call refuses until then. The first unmet
 * one is the refusal. No proof meets the ones that come first.
 */
export const DEMANDS = {
  /** No deletion is scheduled, and nobody restricts the account. */
  open: 'account_is_disable',
  /** The address of the account was confirmed. */
  confirmed: 'account_not_confirmed',
  /** A proof of the person that is young enough. */
  recent: 'reauthentication_required',
  /** A visit to the company's provider. */
  company: 'company_sign_in_required',
  /** The account's own proof, because only a company has vouched for the person. */
  account: 'account_proof_required',
  /** The second step that the organization requires. */
  step: 'second_step_required',
  /** The person's own strong step, before another one is added. */
  strongStep: 'strong_step_required',
  /** A mailed code, before the first strong step is added. */
  mailedCode: 'mailed_code_required',
} as const;
export type Demand = keyof typeof DEMANDS;

/** Why a session may not enter an organization. */
export type NoEntry = (typeof DEMANDS)['company' | 'account' | 'step'];
