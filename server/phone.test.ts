import { expect, test } from 'vitest';
import { internationalPhone } from './phone.ts';

test.each<[typed: string, country: string | null, number: string | null]>([
  ['070-123 45 67', 'Sweden', '+46701234567'],
  ['+46 70 123 45 67', 'Sweden', '+46701234567'],
  ['+46 70 123 45 67', 'Germany', '+46701234567'],
  ['+46 70 123 45 67', null, '+46701234567'],
  ['030 901820', 'Germany', '+4930901820'],
  ['202 555 0123', 'United States', '+12025550123'],
  ['070-123 45 67', null, null],
  ['070-123 45 67', 'Atlantis', null],
  ['1', 'Sweden', null],
  ['+', 'Sweden', null],
  ['+999 123 456', 'Sweden', null],
  ['', 'Sweden', null],
])('%j of a person in %s is %s', async (typed, country, number) => {
  expect(await internationalPhone(typed, country)).toBe(number);
});
