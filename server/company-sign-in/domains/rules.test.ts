import { expect, test } from 'vitest';
import type { Found } from '#contract/company-sign-in/domains.ts';
import { domainTyped, foundIn, nextOf } from './rules.ts';

const token = 'abc';

test.for<[typed: string, domain: string | undefined]>([
  ['Acme.example.', 'acme.example'],
  ['https://acme.example/', 'acme.example'],
  ['HTTP://Acme.example/about?x=1', 'acme.example'],
  ['ann@acme.example', 'acme.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['acme.example..', undefined],
  ['https://acme.example:8443/', undefined],
  ['acme', undefined],
])('the typed domain "%s" is %s', ([typed, domain]) => {
  expect(domainTyped(typed)).toBe(domain);
});

test.for<[records: string[] | 'silent', found: Found, doubled?: string[] | 'silent']>([
  ['silent', 'silent'],
  ['silent', 'silent', ['portico-domain=abc']],
  [['"portico-domain=abc"'], 'quoted'],
  [['v=spf1 -all', ' “portico-domain=abc” '], 'quoted'],
  [['"portico-domain=abc"', 'portico-domain=abc'], 'proven'],
  [[], 'doubled', ['portico-domain=abc']],
  [['v=spf1 -all'], 'doubled', ['"portico-domain=abc"']],
  [[], 'missing', ['portico-domain=abcd']],
  [['v=spf1 -all'], 'other', 'silent'],
  [[], 'missing'],
  [['v=spf1 -all'], 'other'],
  [['portico-domain=abcd'], 'other'],
  [['v=spf1 -all', ' portico-domain=abc '], 'proven'],
])('records %o: %s', ([records, found, doubled]) => {
  expect(foundIn(records, token, doubled)).toBe(found);
});

const now = new Date('2027-03-08T10:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

test.for<[proven: boolean, missingDays: number | null, found: Found, next: string]>([
  [false, null, 'missing', 'nothing'],
  [true, null, 'proven', 'nothing'],
  [true, null, 'silent', 'nothing'],
  [true, null, 'missing', 'missed'],
  [true, null, 'other', 'missed'],
  [true, null, 'quoted', 'missed'],
  [true, null, 'doubled', 'missed'],
  [true, 6.9, 'missing', 'nothing'],
  [true, 7, 'silent', 'nothing'],
  [true, 7, 'other', 'lost'],
  [true, 3, 'proven', 'back'],
])('proven %s, missing for %s days, found %s: %s', ([proven, missingDays, found, next]) => {
  const missingSince = missingDays === null ? null : daysAgo(missingDays);
  expect(nextOf({ provenTime: proven ? daysAgo(30) : null, missingSince }, found, now)).toBe(next);
});
