import * as z from 'zod/mini';
import {
  APPLICATION_NAME_MAX_LETTERS,
  EMAIL_MAX_CHARACTERS,
  EMPLOYEE_COUNT_MAX,
  NAME_MAX_CHARACTERS,
  OTP_CHARACTERS,
  PASSWORD_MAX_CHARACTERS,
  PASSWORD_MIN_CHARACTERS,
  PHONE_MAX_CHARACTERS,
  TEXT_MAX_CHARACTERS,
  WEBSITE_MAX_CHARACTERS,
} from '#contract/limits.ts';
import { fieldText } from '#contract/text/fields.ts';
import { fill } from '#contract/text.ts';

// Named field rules (specification section 5): the form and the server run the same ones.

const text = () =>
  z.string({ error: (issue) => (issue.input === undefined ? fieldText.required : fieldText.wrongType) });
/** Far over every field: composing 60,000 combining marks takes a second, so nobody's input gets that far. */
const TYPED_MAX = 2000;
const trimmed = () =>
  text().check(
    z.maxLength(TYPED_MAX, { error: fill(fieldText.tooLong, { max: TYPED_MAX }), abort: true }),
    z.overwrite((value) => value.normalize('NFC').trim()),
  );
const required = z.minLength(1, { error: fieldText.required, abort: true });
const atMost = (max: number) => z.maxLength(max, { error: fill(fieldText.tooLong, { max }) });
const matches = (pattern: RegExp, error: string) => z.regex(pattern, { error });

/** No quotes, angle brackets or apostrophes (specification), and no control characters: names reach mail headers. */
const generalPattern = matches(/^[^"<>'\p{Cc}]*$/u, fieldText.generalText);
const general = (max: number) => trimmed().check(generalPattern, atMost(max));

export const generalText = general(TEXT_MAX_CHARACTERS);
export const requiredText = trimmed().check(required, generalPattern, atMost(TEXT_MAX_CHARACTERS));
export const firstName = trimmed().check(required, generalPattern, atMost(NAME_MAX_CHARACTERS));
export const lastName = general(NAME_MAX_CHARACTERS);
export const designation = general(NAME_MAX_CHARACTERS);
export const roleName = trimmed().check(required, generalPattern, atMost(NAME_MAX_CHARACTERS));

/** Onboarding: Unicode letters, digits and single inner spaces; may be empty. */
export const newOrganizationName = trimmed().check(
  matches(/^([\p{L}\p{M}\p{N}]+( [\p{L}\p{M}\p{N}]+)*)?$/u, fieldText.organizationWords),
  atMost(NAME_MAX_CHARACTERS),
);
/** Settings: Unicode letters with single inner spaces. */
export const organizationName = trimmed().check(
  required,
  matches(/^[\p{L}\p{M}]+( [\p{L}\p{M}]+)*$/u, fieldText.lettersOnly),
  atMost(NAME_MAX_CHARACTERS),
);
export const applicationName = trimmed().check(
  required,
  matches(/^[\p{L}\p{M}]+$/u, fieldText.lettersOnly),
  z.maxLength(APPLICATION_NAME_MAX_LETTERS, {
    error: fill(fieldText.applicationNameLong, { max: APPLICATION_NAME_MAX_LETTERS }),
  }),
);

const employeeNumber = z
  // Numbers too large to be exact are whole numbers, too; the rules below have their message.
  .number({ error: fieldText.employeeCountDigits })
  .check(
    z.refine((value) => Number.isInteger(value), { error: fieldText.employeeCountDigits, abort: true }),
    z.minimum(1, { error: fieldText.employeeCountZero }),
    z.maximum(EMPLOYEE_COUNT_MAX, { error: fill(fieldText.employeeCountMax, { max: EMPLOYEE_COUNT_MAX }) }),
  );
const employeeDigits = z.codec(
  trimmed().check(required, matches(/^-?\d+$/, fieldText.employeeCountDigits)),
  employeeNumber,
  { decode: Number, encode: String },
);
/** A whole number over 0 and at most 100,000; a JSON number or its digits. */
export const employeeCount = z.union([employeeNumber, employeeDigits], {
  error: (issue) => closestMessage(issue) ?? fieldText.employeeCountDigits,
});

/** A union hides which rule broke; the branch that got past the type tells. */
function closestMessage(issue: { code?: string | undefined }): string | undefined {
  if (!('errors' in issue) || !Array.isArray(issue.errors)) return undefined;
  const branches = issue.errors as { code: string; message: string }[][];
  return branches.flat().find((inner) => inner.code !== 'invalid_type')?.message;
}

/**
 * An address as typed: a plain ASCII local part and a domain, no list, no quotes, no display name.
 * The server turns it into its one canonical form before anything is looked up.
 */
export const email = trimmed().check(
  required,
  matches(
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}][\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]$/u,
    fieldText.email,
  ),
  z.maxLength(EMAIL_MAX_CHARACTERS, { error: fieldText.email }),
);

const characters = (value: string) => Array.from(value).length;
/** A password being chosen: 8 to 128 code points, any character, never trimmed (ASVS 6.2.1, 6.2.5). */
export const newPassword = text().check(
  required,
  z.refine((value) => characters(value) >= PASSWORD_MIN_CHARACTERS, {
    error: fill(fieldText.passwordShort, { min: PASSWORD_MIN_CHARACTERS }),
  }),
  z.refine((value) => characters(value) <= PASSWORD_MAX_CHARACTERS, {
    error: fill(fieldText.passwordLong, { max: PASSWORD_MAX_CHARACTERS }),
  }),
);
/** A password that proves identity: checked against the stored hash, never against a pattern. */
export const currentPassword = text().check(
  required,
  z.refine((value) => characters(value) <= PASSWORD_MAX_CHARACTERS, {
    error: fill(fieldText.passwordLong, { max: PASSWORD_MAX_CHARACTERS }),
  }),
);

/** Digits, plus, minus and spaces, with a digit in it; may be empty. */
export const optionalPhone = trimmed().check(
  matches(/^([+ -]*\d[+\d -]*)?$/, fieldText.phone),
  atMost(PHONE_MAX_CHARACTERS),
);
export const phone = trimmed().check(
  required,
  matches(/^[+ -]*\d[+\d -]*$/, fieldText.phone),
  atMost(PHONE_MAX_CHARACTERS),
);

/** An http(s) address with a dotted host, the scheme optional; may be empty. */
export const website = trimmed().check(
  matches(
    /^((https?:\/\/)?([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}](:\d{1,5})?([/?#][^\s"<>'\p{Cc}]*)?)?$/iu,
    fieldText.website,
  ),
  atMost(WEBSITE_MAX_CHARACTERS),
);
export const link = trimmed().check(required, matches(/^https?:\/\/[^\s"<>'\p{Cc}]+$/iu, fieldText.link));
/** A whole number with up to two decimals. */
export const amount = trimmed().check(required, matches(/^\d{1,12}(\.\d{1,2})?$/, fieldText.amount));

export const otp = trimmed().check(
  z.overwrite((value) => value.replace(/[\s-]/g, '')),
  matches(new RegExp(`^\\d{${OTP_CHARACTERS}}$`), fill(fieldText.otp, { count: OTP_CHARACTERS })),
);

/** The browser's own word for its time zone: any name of that form, so that a new zone never blocks a sign-in. */
export const browserTimeZone = text().check(
  z.maxLength(64, { error: fieldText.wrongType }),
  matches(/^[A-Za-z0-9_+/-]*$/, fieldText.wrongType),
);

/** A one-time link's secret as base64url. */
export const digest = text().check(matches(/^[A-Za-z0-9_-]{1,128}$/, fieldText.wrongType));

/** An address inside the portal to go on to; anything else is dropped by the server, not refused. */
export const redirectPath = text().check(z.maxLength(2000, { error: fieldText.wrongType }));

/** An absolute address to go on to after signing in; the server holds it against its list. */
export const redirectUrl = text().check(z.maxLength(2000, { error: fieldText.wrongType }));
