import * as z from 'zod/mini';
import { matches, pasted, text } from '#contract/split-by-bytes/field-parts.ts';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { fieldText } from '#contract/text/fields.ts';
import { mailedFieldText } from '#contract/text/mailed-fields.ts';
import { fill } from '#contract/text.ts';

// Fields that people copy from a mail.

export const otp = pasted().check(
  z.overwrite((value) => value.replace(/[\s-]/g, '')),
  matches(new RegExp(`^\\d{${OTP_CHARACTERS}}$`), fill(mailedFieldText.otp, { count: OTP_CHARACTERS })),
);

/** The digest of a mailed link, as base64url. */
export const digest = text().check(matches(/^[A-Za-z0-9_-]{1,128}$/, fieldText.wrongType));
