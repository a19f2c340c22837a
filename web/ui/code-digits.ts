import { OTP_CHARACTERS } from '#contract/limits.ts';

/** What of a typed or pasted text is the code: its digits, wherever spaces, dashes or words stand between. */
export const codeDigits = (text: string) =>
  text.normalize('NFKC').replace(/\D/g, '').slice(0, OTP_CHARACTERS);

export const isWholeCode = (code: string) => code.length === OTP_CHARACTERS;
