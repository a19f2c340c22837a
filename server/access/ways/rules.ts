// The ways to meet a demand. Nobody is offered a way that would be refused.
import type { Session } from '#contract/access/facts.ts';
import { isStrong, type SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import { PROOFS } from '#contract/sign-in/step-up.ts';
import { waysOn } from '#server/access/proofs/rules.ts';
import { hasStrong, type Means } from '#server/access/rules.ts';

export type Proof = (typeof PROOFS)[number];
export type OwnMeans = Means & {
  readonly hasPassword: boolean;
  readonly hasAddress: boolean;
  /** Whether passkeys work at the address of this portal. */
  readonly takesPasskeys: boolean;
  /** The strictest rule for second steps of the person's organizations, now or later. */
  readonly rule: SecondStepRule;
};

/**
 * Without a password a mailed code is the first half of the account's proof, with one the second. In a proven session a
 * person with a password has it only if an organization asks for a second step and they have no other.
 */
function takesMailedCode(means: OwnMeans, isHalfProven: boolean) {
  if (!means.hasAddress) return false;
  if (!means.hasPassword) return !isHalfProven;
  if (!means.isMailConfirmed || isHalfProven) return means.isMailConfirmed;
  return (means.isTwoStepOn || !hasStrong(means)) && means.rule !== 'none';
}

/** The proofs that a person can give, the quickest first. */
export function proofsOf(means: OwnMeans, isHalfProven = false): Proof[] {
  const able: Readonly<Record<Proof, boolean>> = {
    passkey: means.passkeys > 0 && means.takesPasskeys,
    password: means.hasPassword,
    app: means.hasApp,
    mail: takesMailedCode(means, isHalfProven),
    recovery: means.recoveryCodesLeft > 0,
  };
  return PROOFS.filter((proof) => able[proof]);
}

/** Of these ways, those that meet a rule for second steps. A recovery code is as strong as the step that it replaces. */
export const waysToStep = (ways: readonly Proof[], step: 'any' | 'strong', means: Means) =>
  ways.filter(
    (way) =>
      way !== 'password' && (step === 'any' || (way === 'recovery' ? hasStrong(means) : isStrong(way))),
  );

/** Of these ways, those that prove the account of a session or the half of it that comes next. */
export const waysToAccount = (ways: readonly Proof[], session: Session, means: OwnMeans) =>
  waysOn(session, means, ways, proofsOf(means, true));
