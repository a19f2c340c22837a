import { expect, test } from 'vitest';
import type { SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import { appLock, hasSpare, passkeyLock, secondSteps, twoStepLock } from './rules.ts';

const bare = { passkeys: 0, hasApp: false, recoveryCodesLeft: 0, isMailConfirmed: true, isTwoStepOn: true };
const [free, needed] = [null, 'second_step_needed'];

test.for<[rule: SecondStepRule, own: object, locks: [passkey: unknown, app: unknown, twoStep: unknown]]>([
  ['none', { passkeys: 1, hasApp: true }, [free, free, free]],
  ['any', {}, [free, free, needed]],
  ['any', { passkeys: 1 }, [free, free, free]],
  ['any', { passkeys: 1, isTwoStepOn: false }, [needed, free, free]],
  ['any', { hasApp: true, isMailConfirmed: false }, [free, needed, needed]],
  ['strong', { hasApp: true }, [free, needed, needed]],
  ['strong', { passkeys: 1 }, [needed, free, free]],
  ['strong', { passkeys: 2 }, [free, free, free]],
  ['strong', { passkeys: 1, hasApp: true }, [free, free, free]],
])('under the rule "%s" a person with %o may remove only what is not needed', ([rule, more, locks]) => {
  const own = { ...bare, ...more };
  expect([passkeyLock(rule, own, true), appLock(rule, own), twoStepLock(rule, own)]).toEqual(locks);
});

test.for<[rule: SecondStepRule, own: object, isSpare: boolean]>([
  ['none', {}, true],
  ['any', {}, true],
  ['any', { passkeys: 1, isTwoStepOn: false }, false],
  ['any', { hasApp: true, isMailConfirmed: false }, false],
  ['strong', { passkeys: 1 }, false],
  ['strong', { passkeys: 2 }, true],
  ['strong', { passkeys: 1, hasApp: true }, true],
  ['strong', { hasApp: true, recoveryCodesLeft: 1 }, true],
])('under the rule "%s" a person with %o may lose one device: %s', ([rule, more, isSpare]) => {
  expect(hasSpare(rule, { ...bare, ...more })).toBe(isSpare);
});

test('the last way in stays, whatever the rule', () => {
  expect(passkeyLock('none', { ...bare, passkeys: 1 }, false)).toBe('last_way_in');
});

test('the steps of a person begin with the strongest', () => {
  const all = { passkeys: 1, hasApp: true, recoveryCodesLeft: 3, isMailConfirmed: true };
  expect(secondSteps(all)).toEqual(['passkey', 'app', 'mail', 'recovery']);
  expect(secondSteps({ ...all, passkeys: 0, isMailConfirmed: false })).toEqual(['app', 'recovery']);
});
