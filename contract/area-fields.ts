import * as z from 'zod/mini';
import { BLANK, HIDDEN } from '#contract/blank-letters.ts';
import { atMost, matches, required, trimmed } from '#contract/field-parts.ts';
import {
  APPLICATION_NAME_MAX_LETTERS,
  EMPLOYEE_COUNT_MAX,
  NAME_MAX_CHARACTERS,
  PHONE_MAX_CHARACTERS,
  TEXT_MAX_CHARACTERS,
  WEBSITE_MAX_CHARACTERS,
} from '#contract/limits.ts';
import { fieldText } from '#contract/text/fields.ts';
import { areaFieldText } from '#contract/text/area-fields.ts';
import { fill } from '#contract/text.ts';

// Named field rules of what is filled in once signed in: people, organizations, and how to reach them.

/** No quotes, angle brackets or apostrophes (specification). */
const generalPattern = matches(/^[^"<>']*$/, areaFieldText.generalText);
/** No line breaks and nothing hidden: names reach mail headers, and are not to turn a line round or pass for another. */
const nothingHidden = z.refine<string>((value) => !HIDDEN.test(value), { error: areaFieldText.hidden });
/** Something one can see: a name of joiners alone is none. */
const visible = z.refine<string>((value) => Array.from(value).some((letter) => !BLANK.test(letter)), {
  error: fieldText.required,
  abort: true,
});
const general = (max: number) => trimmed().check(generalPattern, nothingHidden, atMost(max));

export const generalText = general(TEXT_MAX_CHARACTERS);
export const requiredText = trimmed().check(
  visible,
  generalPattern,
  nothingHidden,
  atMost(TEXT_MAX_CHARACTERS),
);
export const firstName = trimmed().check(visible, generalPattern, nothingHidden, atMost(NAME_MAX_CHARACTERS));
export const lastName = general(NAME_MAX_CHARACTERS);
export const designation = general(NAME_MAX_CHARACTERS);
export const roleName = trimmed().check(visible, generalPattern, nothingHidden, atMost(NAME_MAX_CHARACTERS));

/** Onboarding: Unicode letters, digits and single inner spaces; may be empty. */
export const newOrganizationName = trimmed().check(
  matches(/^([\p{L}\p{M}\p{N}]+( [\p{L}\p{M}\p{N}]+)*)?$/u, areaFieldText.organizationWords),
  nothingHidden,
  atMost(NAME_MAX_CHARACTERS),
);
/** Settings: Unicode letters with single inner spaces. */
export const organizationName = trimmed().check(
  required,
  matches(/^[\p{L}\p{M}]+( [\p{L}\p{M}]+)*$/u, areaFieldText.lettersOnly),
  nothingHidden,
  atMost(NAME_MAX_CHARACTERS),
);
export const applicationName = trimmed().check(
  required,
  matches(/^[\p{L}\p{M}]+$/u, areaFieldText.lettersOnly),
  nothingHidden,
  z.maxLength(APPLICATION_NAME_MAX_LETTERS, {
    error: fill(areaFieldText.applicationNameLong, { max: APPLICATION_NAME_MAX_LETTERS }),
  }),
);

const tooManyEmployees = fill(areaFieldText.employeeCountMax, { max: EMPLOYEE_COUNT_MAX });
const employeeNumber = z
  .int({ error: ({ code }) => (code === 'too_big' ? tooManyEmployees : areaFieldText.employeeCountDigits) })
  .check(
    z.minimum(1, { error: areaFieldText.employeeCountZero }),
    z.maximum(EMPLOYEE_COUNT_MAX, { error: tooManyEmployees }),
  );
const employeeDigits = z.codec(
  trimmed().check(required, matches(/^-?\d+$/, areaFieldText.employeeCountDigits)),
  employeeNumber,
  { decode: Number, encode: String },
);
/** A whole number over 0 and at most 100,000; a JSON number or its digits. */
export const employeeCount = z.union([employeeNumber, employeeDigits], {
  error: (issue) => closestMessage(issue) ?? areaFieldText.employeeCountDigits,
});

/** A union hides which rule broke; the branch that got past the type tells. */
function closestMessage(issue: { code?: string | undefined }): string | undefined {
  if (!('errors' in issue) || !Array.isArray(issue.errors)) return undefined;
  const branches = issue.errors as { code: string; message: string }[][];
  return branches.flat().find((inner) => inner.code !== 'invalid_type')?.message;
}

/** Digits, plus, minus and spaces, with a digit in it; may be empty. */
export const optionalPhone = trimmed().check(
  matches(/^([+ -]*\d[+\d -]*)?$/, areaFieldText.phone),
  atMost(PHONE_MAX_CHARACTERS),
);
export const phone = trimmed().check(
  required,
  matches(/^[+ -]*\d[+\d -]*$/, areaFieldText.phone),
  atMost(PHONE_MAX_CHARACTERS),
);

/** An http(s) address with a dotted host, the scheme optional; may be empty. */
export const website = trimmed().check(
  matches(
    /^((https?:\/\/)?([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}](:\d{1,5})?([/?#][^\s"<>'\p{Cc}]*)?)?$/iu,
    areaFieldText.website,
  ),
  atMost(WEBSITE_MAX_CHARACTERS),
);
export const link = trimmed().check(required, matches(/^https?:\/\/[^\s"<>'\p{Cc}]+$/iu, areaFieldText.link));
/** A whole number with up to two decimals. */
export const amount = trimmed().check(required, matches(/^\d{1,12}(\.\d{1,2})?$/, areaFieldText.amount));
