import { expect, test } from 'vitest';
import { codeDigits, isWholeCode } from '#web/ui/code-digits.ts';

test.each([
  ['', ''],
  ['4', '4'],
  ['418203', '418203'],
  [' 418 203\n', '418203'],
  ['418-203', '418203'],
  ['4\u00A01 8–2.0 3', '418203'],
  ['４１８２０３', '418203'],
  ['Your code is 418203.', '418203'],
  ['abc', ''],
  ['4182039', '418203'],
])('%j holds the code %j', (text, code) => {
  expect(codeDigits(text)).toBe(code);
});

test('a code is whole with six digits', () => {
  expect(['', '41820', '418203'].map(isWholeCode)).toEqual([false, false, true]);
});
