import { expect, test } from 'vitest';
import type { ProvenStep, SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import { meetsRule } from '#server/sessions/entry/rules.ts';

const now = new Date('2026-03-02T09:00:00Z');
const later = new Date('2026-03-03T09:00:00Z');

test.for<[rule: SecondStepRule, from: Date | null, step: ProvenStep | null, meets: boolean]>([
  ['none', null, null, true],
  ['any', null, null, true],
  ['any', later, null, true],
  ['any', now, null, false],
  ['any', now, 'mail', true],
  ['any', now, 'passkey', true],
  ['strong', later, 'mail', true],
  ['strong', now, null, false],
  ['strong', now, 'mail', false],
  ['strong', now, 'passkey', true],
  ['strong', now, 'app', true],
  ['strong', now, 'recovery', true],
])('the rule "%s" from %o, a session with %s: %s', ([rule, from, step, meets]) => {
  expect(meetsRule({ rule, from }, step, now)).toBe(meets);
});
