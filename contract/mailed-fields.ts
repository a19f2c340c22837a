import * as z from 'zod/mini';
import { matches, text, trimmed } from '#contract/field-parts.ts';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { fieldText } from '#contract/text/fields.ts';
import { mailedFieldText } from '#contract/text/mailed-fields.ts';
import { fill } from '#contract/text.ts';

// What comes back from a mail.

/** A one-time code's digits, as they are typed or pasted. */
export const otp = trimmed().check(
  z.overwrite((value) => value.replace(/[\s-]/g, '')),
  matches(new RegExp(`^\\d{${OTP_CHARACTERS}}$`), fill(mailedFieldText.otp, { count: OTP_CHARACTERS })),
);

/** A one-time link's secret as base64url. */
export const digest = text().check(matches(/^[A-Za-z0-9_-]{1,128}$/, fieldText.wrongType));
