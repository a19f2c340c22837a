import { expect, test } from 'vitest';
import type { Found } from '#contract/company-sign-in/domains.ts';
import { foundIn, nextOf } from '#server/company-sign-in/domains/rules.ts';

const token = 'abc';

test.for<[records: string[] | 'silent', found: Found]>([
  ['silent', 'silent'],
  [[], 'missing'],
  [['v=spf1 -all'], 'other'],
  [['portico-domain=abcd'], 'other'],
  [['v=spf1 -all', ' portico-domain=abc '], 'proven'],
])('records %o: %s', ([records, found]) => {
  expect(foundIn(records, token)).toBe(found);
});

const now = new Date('2027-03-08T10:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

test.for<[proven: boolean, missingDays: number | null, found: Found, next: string]>([
  [false, null, 'missing', 'nothing'],
  [true, null, 'proven', 'nothing'],
  [true, null, 'silent', 'nothing'],
  [true, null, 'missing', 'missed'],
  [true, null, 'other', 'missed'],
  [true, 6.9, 'missing', 'nothing'],
  [true, 7, 'silent', 'nothing'],
  [true, 7, 'other', 'lost'],
  [true, 3, 'proven', 'back'],
])('proven %s, missing for %s days, found %s: %s', ([proven, missingDays, found, next]) => {
  const missingSince = missingDays === null ? null : daysAgo(missingDays);
  expect(nextOf({ provenTime: proven ? daysAgo(30) : null, missingSince }, found, now)).toBe(next);
});
