import { expect, test } from 'vitest';
import type { Proven, ProvenStep } from '#contract/organizations/second-step-rule.ts';
import { type Shown, type Way, waysOn, withProof } from './rules.ts';

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
