import { expect, test } from 'vitest';
import type { OrgId } from '#contract/wire.ts';
import type { ProvenStep, SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import { meetsRule, whyNoEntry } from '#server/sessions/entry/rules.ts';

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
test.for<[companyFrom: Date | null, accountProven: boolean, entered: Entered, reason: string | undefined]>([
  [null, true, [], undefined],
  [null, false, [], 'account_proof_required'],
  [null, false, [there], 'account_proof_required'],
  [null, false, [here], undefined],
  [later, true, [], undefined],
  [now, true, [], 'company_sign_in_required'],
  [now, true, [there], 'company_sign_in_required'],
  [now, true, [here], undefined],
  [now, false, [here], undefined],
])(
  'through the company from %o, account proven %s, entered %o: %s',
  ([companyFrom, accountProven, entered, reason]) => {
    const asked = { orgId: here as OrgId, rule: 'none', from: null, companyFrom } as const;
    const proofs = { secondStep: null, accountProven, entered: entered as OrgId[], enteredWithStep: [] };
    expect(whyNoEntry(asked, proofs, now)).toBe(reason);
  },
);

test('the second step of the company counts in its organization alone', () => {
  const strong = { orgId: here as OrgId, rule: 'strong', from: now, companyFrom: null } as const;
  const proofs = {
    secondStep: null,
    accountProven: true,
    entered: [here as OrgId],
    enteredWithStep: [here as OrgId],
  };
  expect(whyNoEntry(strong, proofs, now)).toBe(undefined);
  expect(whyNoEntry({ ...strong, orgId: there as OrgId }, proofs, now)).toBe('second_step_required');
});
