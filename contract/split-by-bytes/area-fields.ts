import * as z from 'zod/mini';
import { LANGUAGE_TAG } from '#contract/languages.ts';
import {
  atMost,
  matches,
  pastedText,
  plain,
  requiredRule,
  text,
  trimmedText,
  typedAs,
} from './field-parts.ts';
import { numeric } from './numeric.ts';
import {
  APPLICATION_NAME_MAX_LETTERS,
  EMAIL_MAX_CHARACTERS,
  EMPLOYEE_COUNT_MAX,
  NAME_MAX_CHARACTERS,
  PHONE_MAX_CHARACTERS,
  TEXT_MAX_CHARACTERS,
  WEBSITE_MAX_CHARACTERS,
} from '#contract/limits.ts';
import { product } from '#contract/product.ts';
import { areaFieldText as readNow } from '#words/area-field.ts';
import { fieldText } from '#words/rules/field.ts';
import { areaFieldText } from '#words/rules/area-field.ts';

// Kept apart from `field-parts.ts`, so that the first view of sign-up stays small.

/** Spaces, format characters, fillers and the empty Braille cell. Comparing names ignores these. */
const BLANK = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** The blank characters that no name needs. Spaces, the two joiners and variation selectors stay allowed. */
const HIDDEN = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\u2028\u2029\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u;

// Field rules of the signed-in area: people, organizations and their contact data.

/** No quotes, angle brackets or apostrophes (specification). */
const generalPattern = matches(/^[^"<>']*$/, areaFieldText.generalText);
/** No line breaks or hidden characters: names reach mail headers and must not imitate other names. */
const nothingHidden = z.refine<string>((value) => !HIDDEN.test(value), { error: areaFieldText.hidden });
/** At least one visible character: a name of joiners alone does not count. */
const visible = z.refine<string>((value) => Array.from(value).some((letter) => !BLANK.test(letter)), {
  error: fieldText.required,
  abort: true,
});
const general = (max: number) => trimmedText().check(generalPattern, nothingHidden, atMost(max));

export const generalText = general(TEXT_MAX_CHARACTERS);
export const requiredText = trimmedText().check(
  visible,
  generalPattern,
  nothingHidden,
  atMost(TEXT_MAX_CHARACTERS),
);
export const firstName = trimmedText().check(
  visible,
  generalPattern,
  nothingHidden,
  atMost(NAME_MAX_CHARACTERS),
);
export const lastName = general(NAME_MAX_CHARACTERS);
export const designation = general(NAME_MAX_CHARACTERS);
export const roleName = trimmedText().check(
  visible,
  generalPattern,
  nothingHidden,
  atMost(NAME_MAX_CHARACTERS),
);

/** Words of some letters, with single spaces between them. Persian and Indic names need the joiners within words. */
function words(letters: string): string {
  const word = `[${letters}]+(?:[\\u200C\\u200D][${letters}]+)*`;
  return `${word}(?: ${word})*`;
}

/** Onboarding: Unicode letters, digits and single inner spaces. May be empty. */
export const newOrganizationName = trimmedText().check(
  matches(new RegExp(`^(${words('\\p{L}\\p{M}\\p{N}')})?$`, 'u'), areaFieldText.organizationWords),
  nothingHidden,
  atMost(NAME_MAX_CHARACTERS),
);
export const organizationName = trimmedText().check(
  requiredRule,
  matches(new RegExp(`^${words('\\p{L}\\p{M}')}$`, 'u'), areaFieldText.lettersOnly),
  nothingHidden,
  atMost(NAME_MAX_CHARACTERS),
);
/** The portal's own name is right as it is: organizations without another one show it. */
function unlessOfPortal<T extends z.core.$ZodCheck<string>>(check: T): T {
  check._zod.def.when = ({ value, issues }) => value !== product.name && issues.length === 0;
  return check;
}
export const applicationName = trimmedText().check(
  requiredRule,
  unlessOfPortal(matches(/^[\p{L}\p{M}]+$/u, areaFieldText.lettersOnly)),
  nothingHidden,
  unlessOfPortal(z.maxLength(APPLICATION_NAME_MAX_LETTERS, { error: areaFieldText.applicationNameLong })),
);

const employeeNumber = z
  .int({ error: ({ code }) => (code === 'too_big' ? readNow.employeeCountMax : readNow.employeeCountDigits) })
  .check(
    z.minimum(1, { error: areaFieldText.employeeCountZero }),
    z.maximum(EMPLOYEE_COUNT_MAX, { error: areaFieldText.employeeCountMax }),
  );
const employeeDigits = z.codec(
  numeric().check(requiredRule, matches(/^-?\d+$/, areaFieldText.employeeCountDigits)),
  employeeNumber,
  { decode: Number, encode: String },
);
/** A whole number from 1 to 100,000, as a JSON number or as digits. */
export const employeeCount = z.union([employeeNumber, employeeDigits], {
  error: (issue) => closestMessage(issue) ?? readNow.employeeCountDigits,
});

/** A union hides the broken rule. Take the message of the branch whose type matched. */
function closestMessage(issue: { code?: string | undefined }): string | undefined {
  if (!('errors' in issue) || !Array.isArray(issue.errors)) return undefined;
  const branches = issue.errors as { code: string; message: string }[][];
  return branches.flat().find((inner) => inner.code !== 'invalid_type')?.message;
}

/** Hidden characters that no name contains. Names may contain joiners and variation selectors. */
const hiddenInNames = /(?![\u200C\u200D\p{M}])\p{Default_Ignorable_Code_Point}/gu;
/** A search for people: an address in its plain form, or words as names are written. May be empty. */
export const search = typedAs((value) => {
  const address = plain(value);
  if (address.includes('@')) return address;
  return value
    .replace(hiddenInNames, '')
    .normalize('NFKC')
    .replace(/[\p{Zs}\t]/gu, ' ')
    .trim();
}).check(matches(/^\P{Cc}*$/u, fieldText.wrongType), atMost(EMAIL_MAX_CHARACTERS));

/** Digits, plus, minus and spaces, with at least one digit. May be empty. */
export const optionalPhone = numeric().check(
  matches(/^([+ -]*\d[+\d -]*)?$/, areaFieldText.phone),
  atMost(PHONE_MAX_CHARACTERS),
);
export const phone = numeric().check(
  requiredRule,
  matches(/^[+ -]*\d[+\d -]*$/, areaFieldText.phone),
  atMost(PHONE_MAX_CHARACTERS),
);

/** An http(s) address with a dotted host, an optional scheme and an optional port. May be empty. */
export const website = pastedText().check(
  matches(
    /^((https?:\/\/)?([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}](:(?!0+\b|6553[6-9]|655[4-9]\d|65[6-9]\d\d|6[6-9]\d{3}|[7-9]\d{4})\d{1,5})?([/?#][^\s"<>'\p{Cc}]*)?)?$/iu,
    areaFieldText.website,
  ),
  atMost(WEBSITE_MAX_CHARACTERS),
);

export const language = text().check(matches(LANGUAGE_TAG, areaFieldText.language));
