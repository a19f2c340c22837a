import { refuse } from '#contract/errors.ts';
import type { SecondStepRule, ProvenStep } from '#contract/organizations/second-step-rule.ts';
import { meetsRule } from '#server/sessions/entry/rules.ts';
import type { UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { deleteRecoveryCodes, findFactors, findRule } from '#server/sign-in/factors/data.ts';
import { hasStrong } from '#server/sign-in/factors/rules.ts';

export type StepAdder = SessionOwner & { readonly secondStep: ProvenStep | null };
/**
 * Refuses to change second steps if an organization asks for one, now or later, and the session has not given it. A
 * person with a strong step gives what the organization asks for, any other person at least a mailed code.
 * Otherwise a thief of the password, or of the mailbox too, would add a step of their own and enter with it.
 */
export async function refuseWeakSession(sql: Db, { clock }: Deps, { userId, secondStep }: StepAdder) {
  const rule = await findRule(sql, userId);
  const factors = await findFactors(sql, userId);
  const meets = (asked: SecondStepRule) =>
    meetsRule({ rule: asked, from: clock.now() }, secondStep, clock.now());
  if (hasStrong(factors)) return meets(rule) ? undefined : refuse('strong_step_required');
  const isOpen = rule === 'none' || !factors.isMailConfirmed || meets('any');
  return isOpen ? undefined : refuse('mailed_code_required');
}

/** They stood in for a mailed code, and would else stand in for the first strong step. Returns whether there were any. */
export async function endWeakRecoveryCodes(tx: Tx, userId: UserId) {
  const factors = await findFactors(tx, userId);
  if (hasStrong(factors)) return false;
  await deleteRecoveryCodes(tx, userId);
  return factors.recoveryCodesLeft > 0;
}
