import * as z from 'zod/mini';
import { matches, text } from './field-parts.ts';
import { numeric } from './numeric.ts';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { fieldText } from '#words/rules/field.ts';
import { mailedFieldText } from '#words/rules/mailed-field.ts';

// Fields that people copy from a mail.

export const otp = numeric().check(
  z.overwrite((value) => value.replace(/[\s-]/g, '')),
  matches(new RegExp(`^\\d{${OTP_CHARACTERS}}$`), mailedFieldText.otp),
);

/** The digest of a mailed link, as base64url. */
export const digest = text().check(matches(/^[A-Za-z0-9_-]{1,128}$/, fieldText.wrongType));
