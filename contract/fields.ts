import * as z from 'zod/mini';
import {
  characters,
  isLongEnough,
  matches,
  plainAddress,
  requiredRule,
  text,
  typedAs,
} from '#contract/split-by-bytes/field-parts.ts';
import { EMAIL_MAX_CHARACTERS, PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from './limits.ts';
import { fieldText } from '#words/rules/field.ts';

// Field rules (specification section 5) of login and sign-up, for forms and the server.

/** A plain ASCII local part and a domain; a display name and `mailto:` are dropped. The server makes it canonical. */
export const email = typedAs(plainAddress).check(
  requiredRule,
  matches(
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}][\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]$/u,
    fieldText.email,
  ),
  z.maxLength(EMAIL_MAX_CHARACTERS, { error: fieldText.email }),
);

const passwordShort = fieldText.passwordShort;
const notTooLong = z.refine<string>((value) => characters(value) <= PASSWORD_MAX_CHARACTERS, {
  error: fieldText.passwordLong,
});
/** A password being chosen: 8 to 128 code points, any character, never trimmed (ASVS 6.2.1, 6.2.5). */
export const newPassword = text().check(
  requiredRule,
  z.refine(isLongEnough, { error: passwordShort }),
  notTooLong,
);
/** A password that proves identity. Only its length is checked before the server compares hashes. */
export const currentPassword = text().check(
  requiredRule,
  z.refine((value) => characters(value) >= PASSWORD_MIN_CHARACTERS, { error: passwordShort }),
  notTooLong,
);

/** The time zone that the browser reports. Unknown names pass, so that a new zone never blocks a sign-in. */
export const browserTimeZone = text().check(
  z.maxLength(64, { error: fieldText.wrongType }),
  matches(/^[A-Za-z0-9_+/-]*$/, fieldText.wrongType),
);

/** A path of the portal to go on to. The server drops an invalid one instead of refusing the call. */
export const redirectPath = text().check(z.maxLength(2000, { error: fieldText.wrongType }));

/** An absolute address to go on to after sign-in. The server checks it against its list. */
export const redirectUrl = text().check(z.maxLength(2000, { error: fieldText.wrongType }));
