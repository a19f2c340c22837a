import * as z from 'zod/mini';
import { PASSWORD_MIN_CHARACTERS } from '#contract/limits.ts';
import type { RuleText } from '#contract/rule-text.ts';
import { fieldText } from '#words/field.ts';
import { fieldText as ruleText } from '#words/rules/field.ts';

export const text = () =>
  z.string({ error: (issue) => (issue.input === undefined ? fieldText.required : fieldText.wrongType) });
/** Far above every field's limit. It stops slow input early: composing 60,000 combining marks takes a second. */
const TYPED_MAX = 2000;
export const typedAs = (form: (value: string) => string) =>
  text().check(
    z.maxLength(TYPED_MAX, { error: ruleText.tooLong({ max: TYPED_MAX }), abort: true }),
    z.overwrite(form),
  );
/** For words: they stay as they are written. */
export const trimmedText = () => typedAs((value) => value.normalize('NFC').trim());

/** The plain form of pasted text: NFKC, no hidden characters, any dash as `-`, any space as a space, trimmed. */
export const plain = (value: string) =>
  value
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\p{Zs}\t]/gu, ' ')
    .trim();
/** The address in what people paste: `Ann <ann@…>` or `mailto:ann@…`. Escapes and lists stay, and are refused. */
export const plainAddress = (value: string) =>
  plain(value)
    .replace(/^(?:"[^"<>@]*"\s*|[^"<>@,;]*)<([^<>]*)>$/, '$1')
    .trim()
    .replace(/^mailto:([^%?]*)(\?.*)?$/i, '$1');
/** For numbers and codes, where look-alikes mean the same. */
export const pastedText = () => typedAs(plain);
export const requiredRule = z.minLength(1, { error: ruleText.required, abort: true });
export const atMost = (max: number) => z.maxLength(max, { error: ruleText.tooLong({ max }) });
export const matches = (pattern: RegExp, error: RuleText) => z.regex(pattern, { error });

/** Code points of the hashed form. Very long texts are not composed, because that is slow. */
export const characters = (value: string) =>
  value.length > 2000 ? value.length : Array.from(value.normalize('NFKC')).length;
export const isLongEnough = (password: string) =>
  characters(password.replace(/\p{Default_Ignorable_Code_Point}/gu, '')) >= PASSWORD_MIN_CHARACTERS;
