import { inDigits } from '#contract/split-by-bytes/numeric.ts';
import { OTP_CHARACTERS } from '#contract/limits.ts';

/** The code in a typed or pasted text: its digits, without spaces, dashes or words between them. */
export const codeDigits = (text: string) => inDigits(text).replace(/\D/g, '').slice(0, OTP_CHARACTERS);

export const isWholeCode = (code: string) => code.length === OTP_CHARACTERS;
