import { expect, test } from 'vitest';
import { DEMANDS } from '#contract/access/demands.ts';
import type { ProvenStep } from '#contract/organizations/second-step-rule.ts';
import type { OrgId } from '#contract/wire.ts';
import {
  asksCompany,
  asksStep,
  byCompany,
  here,
  inOrganization,
  later,
  membership,
  now,
  own,
  testDemands,
  there,
} from '#server/testing/access.ts';
import { type Asked, conditions, demands, demandsBy, sortOrganizations } from './rules.ts';

testDemands({
  'the rule for second steps': [
    ['asks nothing without a rule', own(), [membership()], inOrganization, []],
    ['asks nothing before its time', own(), [asksStep('strong', later)], inOrganization, []],
    ['"any" asks for a step', own(), [asksStep('any')], inOrganization, ['step']],
    ['"any" takes a mailed code', own('mail'), [asksStep('any')], inOrganization, []],
    ['"any" takes the step of another provider', own('provider'), [asksStep('any')], inOrganization, []],
    ['"strong" does not take a mailed code', own('mail'), [asksStep('strong')], inOrganization, ['step']],
    [
      '"strong" does not take the step of another provider',
      own('provider'),
      [asksStep('strong')],
      inOrganization,
      ['step'],
    ],
    ['"strong" takes an app', own('app'), [asksStep('strong')], inOrganization, []],
    ['"strong" takes a recovery code', own('recovery'), [asksStep('strong')], inOrganization, []],
    ['"strong" takes a passkey', own('passkey'), [asksStep('strong')], inOrganization, []],
    [
      'takes what the company said there',
      byCompany([here], { enteredWithStep: [here] }),
      [asksStep('strong')],
      inOrganization,
      [],
    ],
    [
      'does not take what another company said',
      byCompany([here, there], { enteredWithStep: [there] }),
      [asksStep('any')],
      inOrganization,
      ['step'],
    ],
    ['is never met by a token that outlives its session', null, [asksStep('any')], inOrganization, ['step']],
  ],
  'the rule of a company': [
    [
      'asks nothing before its time',
      own(),
      [membership({ companyRule: 'everybody', companyFrom: later })],
      inOrganization,
      [],
    ],
    ['"everybody" asks everybody', own(), [asksCompany('everybody')], inOrganization, ['company']],
    ['is met by a visit', byCompany(), [asksCompany('everybody')], inOrganization, []],
    [
      'is not met by a visit to another company',
      byCompany([there]),
      [asksCompany('everybody')],
      inOrganization,
      ['company', 'account'],
    ],
    ['"addresses" leaves guests alone', own(), [asksCompany('addresses')], inOrganization, []],
    [
      '"addresses" asks people with an address',
      own(),
      [asksCompany('addresses', { hasAddress: true })],
      inOrganization,
      ['company'],
    ],
    [
      '"addresses" asks linked guests',
      own(),
      [asksCompany('addresses', { isLinked: true })],
      inOrganization,
      ['company'],
    ],
    [
      'asks a Super Admin without a strong step',
      own('mail'),
      [asksCompany('everybody', { isSuperAdmin: true })],
      inOrganization,
      ['company'],
    ],
    [
      'lets a Super Admin in with a strong step',
      own('app'),
      [asksCompany('everybody', { isSuperAdmin: true })],
      inOrganization,
      [],
    ],
    [
      'a strong step helps nobody else',
      own('passkey'),
      [asksCompany('everybody')],
      inOrganization,
      ['company'],
    ],
    [
      '"addresses" closes to tokens that outlive sessions',
      null,
      [asksCompany('addresses')],
      inOrganization,
      ['company'],
    ],
  ],
});

const steps: (ProvenStep | null)[] = [null, 'mail', 'provider', 'recovery', 'app', 'passkey'];
const sessions = steps.flatMap((step) => [
  own(step),
  byCompany([], { secondStep: step }),
  byCompany([here], { secondStep: step }),
]);
const memberships = (['none', 'any', 'strong'] as const).flatMap((stepRule) =>
  (['nobody', 'addresses', 'everybody'] as const).flatMap((companyRule) =>
    [now, later].flatMap((from) =>
      [true, false].flatMap((isSuperAdmin) =>
        [true, false].map((hasAddress) =>
          membership({ stepRule, companyRule, isSuperAdmin, hasAddress, stepFrom: from, companyFrom: from }),
        ),
      ),
    ),
  ),
);

test('no proof adds a demand, and no rule goes with time', () => {
  for (const session of sessions)
    for (const one of memberships) {
      const asked = demands({ session, memberships: [one] }, inOrganization, now);
      const stronger = demands(
        {
          session: { ...session, secondStep: 'passkey', proven: 'account', entered: [here] },
          memberships: [one],
        },
        inOrganization,
        now,
      );
      expect(asked).toEqual(expect.arrayContaining(stronger));
      expect(demands({ session, memberships: [one] }, inOrganization, later)).toEqual(
        expect.arrayContaining(asked),
      );
    }
});

test('the organizations of a person are open or closed, if the membership is active', () => {
  const all = [
    membership(),
    { ...asksStep('any'), orgId: there },
    membership({ orgId: 9 as OrgId, isActive: false }),
  ];
  expect(sortOrganizations({ session: own(), memberships: all }, now)).toEqual({
    open: [here],
    closed: [there],
    isWhole: true,
  });
});

test('demands come in the order in which they are met', () => {
  expect(Object.keys(conditions)).toEqual(Object.keys(DEMANDS));
});

test('a further rule is a row, a fact and a sentence', () => {
  const isWeekday = ({ now: at }: Asked) => ![0, 6].includes(at.getUTCDay());
  const onWeekdays = demandsBy({ ...conditions, weekday: (asked: Asked) => !isWeekday(asked) });
  const sunday = new Date('2027-02-28T10:00:00Z');
  expect(onWeekdays({ session: own(), memberships: [membership()] }, inOrganization, now)).toEqual([]);
  expect(onWeekdays({ session: own(), memberships: [membership()] }, inOrganization, sunday)).toEqual([
    'weekday',
  ]);
});
