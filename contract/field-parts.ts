import * as z from 'zod/mini';
import { PASSWORD_MIN_CHARACTERS } from '#contract/limits.ts';
import { fieldText } from '#contract/text/fields.ts';
import { fill } from '#contract/text.ts';

// What the named field rules are made of.

export const text = () =>
  z.string({ error: (issue) => (issue.input === undefined ? fieldText.required : fieldText.wrongType) });
/** Far over every field: composing 60,000 combining marks takes a second, so nobody's input gets that far. */
const TYPED_MAX = 2000;
export const trimmed = () =>
  text().check(
    z.maxLength(TYPED_MAX, { error: fill(fieldText.tooLong, { max: TYPED_MAX }), abort: true }),
    z.overwrite((value) => value.normalize('NFC').trim()),
  );
export const required = z.minLength(1, { error: fieldText.required, abort: true });
export const atMost = (max: number) => z.maxLength(max, { error: fill(fieldText.tooLong, { max }) });
export const matches = (pattern: RegExp, error: string) => z.regex(pattern, { error });

/** Code points as they are hashed, where what looks alike is alike; composing a text far too long would take its time. */
export const characters = (value: string) =>
  value.length > 2000 ? value.length : Array.from(value.normalize('NFKC')).length;
/** Whether a password has enough characters that one can see. */
export const isLongEnough = (password: string) =>
  characters(password.replace(/\p{Default_Ignorable_Code_Point}/gu, '')) >= PASSWORD_MIN_CHARACTERS;
