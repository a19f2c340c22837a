import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { matches } from '#contract/split-by-bytes/field-parts.ts';
import { numeric } from '#contract/split-by-bytes/numeric.ts';
import { browserTimeZone } from '#contract/fields.ts';
import { otp } from '#contract/split-by-bytes/mailed-fields.ts';
import { onwardFields, outcome } from './calls.ts';
import { secondStepText } from '#words/rules/second-step.ts';
import { as, flag, input } from '#contract/wire.ts';

/** Crockford's base32: no letter looks like a digit. */
export const RECOVERY_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const RECOVERY_CHARACTERS = 10;

export const recoveryCode = numeric().check(
  z.overwrite((value) =>
    value.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1'),
  ),
  matches(new RegExp(`^[${RECOVERY_LETTERS}]{${RECOVERY_CHARACTERS}}$`), secondStepText.recoveryForm),
);

const step = {
  /** Do not ask for a second step in this browser for `REMEMBERED_DAYS`. */
  remember: z.optional(flag),
  timeZone: as('timezone', browserTimeZone),
  ...onwardFields,
};
const failures = ['otp_invalid', 'otp_expired', 'account_is_disable', 'company_sign_in_required'] as const;

export const otherSteps = {
  verifyAppCode: endpoint({
    method: 'POST',
    path: '/api/signin/app',
    access: 'public',
    input: input({ code: otp, ...step }),
    output: outcome,
    failures,
  }),
  verifyRecoveryCode: endpoint({
    method: 'POST',
    path: '/api/signin/recovery',
    access: 'public',
    input: input({ code: recoveryCode, ...step }),
    output: outcome,
    failures,
  }),
};
