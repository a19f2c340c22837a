import * as z from 'zod/mini';
import { characters, isLongEnough, matches, required, text, trimmed } from '#contract/field-parts.ts';
import { EMAIL_MAX_CHARACTERS, PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '#contract/limits.ts';
import { fieldText } from '#contract/text/fields.ts';
import { fill } from '#contract/text.ts';

// Named field rules (specification section 5): the form and the server run the same ones. Here are those of
// getting in, which login and sign-up load; `contract/mailed-fields.ts` and `contract/area-fields.ts` have the rest.

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

/** A password being chosen: 8 to 128 code points, any character, never trimmed (ASVS 6.2.1, 6.2.5). */
export const newPassword = text().check(
  required,
  z.refine(isLongEnough, {
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

/** The browser's own word for its time zone: any name of that form, so that a new zone never blocks a sign-in. */
export const browserTimeZone = text().check(
  z.maxLength(64, { error: fieldText.wrongType }),
  matches(/^[A-Za-z0-9_+/-]*$/, fieldText.wrongType),
);

/** An address inside the portal to go on to; anything else is dropped by the server, not refused. */
export const redirectPath = text().check(z.maxLength(2000, { error: fieldText.wrongType }));

/** An absolute address to go on to after signing in; the server holds it against its list. */
export const redirectUrl = text().check(z.maxLength(2000, { error: fieldText.wrongType }));
