import { expect, test } from 'vitest';
import type { Session } from '#contract/access/facts.ts';
import type { Proven } from '#contract/organizations/second-step-rule.ts';
import { withProof } from '#server/access/proofs/rules.ts';
import { meets, signedInBy } from '#server/access/rules.ts';
import { type OwnMeans, type Proof, proofsOf, waysToAccount, waysToStep } from './rules.ts';

const flags = [false, true];
const all: OwnMeans[] = flags.flatMap((hasPassword) =>
  flags.flatMap((isMailConfirmed) =>
    flags.flatMap((isTwoStepOn) =>
      flags.flatMap((hasApp) =>
        [0, 1].flatMap((passkeys) =>
          [0, 10].flatMap((recoveryCodesLeft) =>
            (['none', 'any', 'strong'] as const).map((rule) => ({
              hasPassword,
              hasAddress: true,
              isMailConfirmed,
              isTwoStepOn,
              hasApp,
              passkeys,
              recoveryCodesLeft,
              takesPasskeys: true,
              rule,
            })),
          ),
        ),
      ),
    ),
  ),
);
const session = (proven: Proven): Session => ({ ...signedInBy(null, new Date(0)), proven });
/** A recovery code replaces a strong step, or else the mailed code. It is never a first proof. */
const stepOf = (way: Proof, { hasApp, passkeys }: OwnMeans) =>
  way === 'recovery' && !hasApp && passkeys === 0 ? 'mail' : way;
const after = (shown: Session, means: OwnMeans, way: Proof) =>
  withProof(shown, way === 'recovery' ? { ...means, hasPassword: true } : means, stepOf(way, means));

test('each way that is offered for the account proves it, or its first half with a way to the second', () => {
  for (const means of all)
    for (const proven of ['company', 'first'] as const) {
      const shown = session(proven);
      for (const way of waysToAccount(proofsOf(means, proven === 'first'), shown, means)) {
        const given = { ...shown, ...after(shown, means, way) };
        const seconds =
          proven === 'company' && given.proven === 'first'
            ? waysToAccount(proofsOf(means, true), given, means)
            : [];
        const proofs = [given, ...seconds.map((second) => after(given, means, second))];
        expect({ means, way, proofs: proofs.map((proof) => proof.proven) }).toMatchObject({
          proofs: expect.arrayContaining(['account']) as unknown,
        });
      }
    }
});

test('each way that is offered for a rule meets it', () => {
  for (const means of all)
    for (const step of ['any', 'strong'] as const)
      for (const way of waysToStep(proofsOf(means), step, means)) {
        const { secondStep } = after(session('account'), means, way);
        expect({ means, step, way, isMet: meets(step, secondStep) }).toMatchObject({ isMet: true });
      }
});

test('nobody with a password, or with an address and no password, is left without a proof', () => {
  for (const means of all) expect(proofsOf(means)).not.toEqual([]);
});

test.for<[what: string, more: Partial<OwnMeans>, isHalfProven: boolean, offered: boolean]>([
  ['without a password it is the first proof', { hasPassword: false }, false, true],
  ['and not the second', { hasPassword: false }, true, false],
  ['with a password it is the second proof', {}, true, true],
  ['but not in an unconfirmed mailbox', { isMailConfirmed: false }, true, false],
  ['no organization asks for it', {}, false, false],
  ['an organization asks for a step', { rule: 'any' }, false, true],
  ['and the person has a strong one', { rule: 'any', passkeys: 1 }, false, false],
  ['which two-step sign-in may replace', { rule: 'any', passkeys: 1, isTwoStepOn: true }, false, true],
  ['without an address', { hasPassword: false, hasAddress: false }, false, false],
])('a mailed code: %s', ([, more, isHalfProven, offered]) => {
  const means: OwnMeans = {
    hasPassword: true,
    hasAddress: true,
    isMailConfirmed: true,
    isTwoStepOn: false,
    hasApp: false,
    passkeys: 0,
    recoveryCodesLeft: 0,
    takesPasskeys: true,
    rule: 'none',
    ...more,
  };
  expect(proofsOf(means, isHalfProven).includes('mail')).toBe(offered);
});
