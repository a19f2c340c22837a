import { plain, typedAs } from './field-parts.ts';

/** Every script's digits stand in one run from 0 to 9, so the digits before a digit are its value. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
/** Plain text with digits in ASCII: NFKC leaves Arabic-Indic, Devanagari and other digits as they are. */
export const inDigits = (value: string) => plain(value).replace(/\p{Nd}/gu, digitValue);
/** For numbers and codes. */
export const numeric = () => typedAs(inDigits);
