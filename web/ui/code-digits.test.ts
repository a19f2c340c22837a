import { expect, test } from 'vitest';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { codeDigits, isWholeCode } from './code-digits.ts';

const code = '4182031908'.slice(0, OTP_CHARACTERS);

test.each([
  ['', ''],
  ['4', '4'],
  [code, code],
  [' 418 2\n', '4182'],
  ['418-2', '4182'],
  ['4\u00A01 8–2.0 3', '418203'],
  ['４１８２', '4182'],
  ['٤١٨٢٠٩', '418209'],
  ['۴۱۸۲۰۹', '418209'],
  ['४१८ २०९', '418209'],
  [`Your code is ${code}.`, code],
  ['abc', ''],
  [`${code}9`, code],
])('%j holds the digits %j', (text, digits) => {
  expect(codeDigits(text)).toBe(digits);
});

test('a code is complete with all its digits', () => {
  expect(['', code.slice(1), code].map(isWholeCode)).toEqual([false, false, true]);
});
