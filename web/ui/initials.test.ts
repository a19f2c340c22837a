import { expect, test } from 'vitest';
import { initials } from './initials.ts';

test.each([
  ['Maya Lindqvist', 'ML'],
  ['  ada   king lovelace ', 'AL'],
  ['Cher', 'C'],
  ['élodie Øster', 'ÉØ'],
  ['😀 Smile', '😀S'],
  ['', ''],
])('%o gives %o', (name, expected) => {
  expect(initials(name)).toBe(expected);
});
