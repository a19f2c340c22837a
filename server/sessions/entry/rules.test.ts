import { expect, test } from 'vitest';
import type { OrgId } from '#contract/wire.ts';
import type { Proven, ProvenStep, SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import {
  meetsRule,
  type Shown,
  type Way,
  waysOn,
  whyNoEntry,
  withProof,
} from '#server/sessions/entry/rules.ts';

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

const [here, there] = [7, 8] as OrgId[];
type Entered = readonly (OrgId | undefined)[];
test.for<[companyFrom: Date | null, proven: Proven, entered: Entered, reason: string | undefined]>([
  [null, 'account', [], undefined],
  [null, 'company', [], 'account_proof_required'],
  [null, 'company', [there], 'account_proof_required'],
  [null, 'first', [], 'account_proof_required'],
  [null, 'company', [here], undefined],
  [later, 'account', [], undefined],
  [now, 'account', [], 'company_sign_in_required'],
  [now, 'account', [there], 'company_sign_in_required'],
  [now, 'account', [here], undefined],
  [now, 'company', [here], undefined],
])('through the company from %o, proven %s, entered %o: %s', ([companyFrom, proven, entered, reason]) => {
  const asked = { orgId: here as OrgId, rule: 'none', from: null, companyFrom } as const;
  const proofs = { secondStep: null, proven, entered: entered as OrgId[], enteredWithStep: [] };
  expect(whyNoEntry(asked, proofs, now)).toBe(reason);
});

test('the second step of the company counts in its organization alone', () => {
  const strong = { orgId: here as OrgId, rule: 'strong', from: now, companyFrom: null } as const;
  const proofs = {
    secondStep: null,
    proven: 'account' as const,
    entered: [here as OrgId],
    enteredWithStep: [here as OrgId],
  };
  expect(whyNoEntry(strong, proofs, now)).toBe(undefined);
  expect(whyNoEntry({ ...strong, orgId: there as OrgId }, proofs, now)).toBe('second_step_required');
});

const company: Shown = { proven: 'company', secondStep: null };
type Given = readonly Way[];
type Row = [twoStep: boolean, password: boolean, given: Given, proven: Proven, step: ProvenStep | null];
test.for<Row>([
  [false, true, ['password'], 'account', null],
  [false, false, ['mail'], 'account', null],
  [false, true, ['mail'], 'company', 'mail'],
  [false, true, ['app'], 'company', 'app'],
  [false, true, ['passkey'], 'account', 'passkey'],
  [true, true, ['passkey'], 'account', 'passkey'],
  [true, true, ['password'], 'first', null],
  [true, true, ['password', 'password'], 'first', null],
  [true, true, ['password', 'mail'], 'account', 'mail'],
  [true, true, ['password', 'app'], 'account', 'app'],
  [true, true, ['password', 'recovery'], 'account', 'recovery'],
  [true, true, ['app', 'recovery'], 'company', 'recovery'],
  [true, true, ['app', 'password'], 'account', 'app'],
  [true, true, ['app', 'mail', 'password'], 'account', 'app'],
  [true, false, ['mail'], 'first', null],
  [true, false, ['mail', 'mail'], 'first', null],
  [true, false, ['mail', 'app'], 'account', 'app'],
])(
  'after a visit, with two-step sign-in %s and a password %s, %j proves: %s, %s',
  ([isTwoStepOn, hasPassword, given, proven, secondStep]) => {
    const shown = given.reduce((now, way) => withProof(now, { isTwoStepOn, hasPassword }, way), company);
    expect(shown).toEqual({ proven, secondStep });
  },
);

test('the company’s second step serves its organization alone, and a proven account loses no step', () => {
  const said = { proven: 'company', secondStep: 'provider' } as const;
  const on = { isTwoStepOn: true, hasPassword: true };
  expect(withProof(said, on, 'password')).toEqual({ proven: 'first', secondStep: 'provider' });
  const off = { ...on, isTwoStepOn: false };
  expect(withProof(said, off, 'password')).toEqual({ proven: 'account', secondStep: null });
  const whole = { proven: 'account', secondStep: 'app' } as const;
  for (const way of ['password', 'mail'] as const) expect(withProof(whole, on, way)).toEqual(whole);
});

test.for<[twoStep: boolean, password: boolean, proven: 'company' | 'first', ways: Given, on: Given]>([
  [false, true, 'company', ['password', 'app', 'mail'], ['password']],
  [true, true, 'company', ['passkey', 'password', 'app'], ['passkey', 'password']],
  [true, true, 'first', ['passkey', 'password', 'app', 'mail'], ['passkey', 'app', 'mail']],
  [true, false, 'company', ['app', 'mail'], ['mail']],
  [true, false, 'first', ['app', 'mail'], ['app']],
  // A mailed code would lead nowhere.
  [true, false, 'company', ['mail'], []],
])('with two-step sign-in %s, a password %s and proof "%s", of %j these lead on: %j', (row) => {
  const [isTwoStepOn, hasPassword, proven, ways, on] = row;
  expect(waysOn({ proven, secondStep: null }, { isTwoStepOn, hasPassword }, ways, ways)).toEqual(on);
});
