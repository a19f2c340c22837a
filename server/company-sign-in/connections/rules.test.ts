import { expect, test } from 'vitest';
import { dueNotice, providerKindOf, servesEveryCompany } from './rules.ts';

test.for([
  ['https://login.microsoftonline.com/6a1/v2.0', 'entra', false],
  ['https://login.microsoftonline.com/common/v2.0', 'entra', true],
  ['https://login.microsoftonline.com/organizations/v2.0', 'entra', true],
  ['https://accounts.google.com', 'google', false],
  ['https://acme.okta.com', 'other', false],
  ['https://accounts.google.com.evil.example', 'other', false],
  ['', 'other', false],
] as const)('%s is %s', ([issuer, kind, isOfAll]) => {
  expect([providerKindOf(issuer), servesEveryCompany(issuer)]).toEqual([kind, isOfAll]);
});

const now = new Date('2027-03-01T10:00:00Z');
test.for<[days: number, told: number | null, due: number | undefined]>([
  [61, null, undefined],
  [60, null, 60],
  [45, 60, undefined],
  [30, 60, 30],
  [5, null, 7],
  [5, 7, undefined],
  [0.5, 7, 1],
  [-3, 1, undefined],
])('a secret that ends in %s days, told at %s: %s', ([days, told, due]) => {
  expect(dueNotice(new Date(now.getTime() + days * 86_400_000), told, now)).toBe(due);
});
