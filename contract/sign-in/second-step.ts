import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { browserTimeZone } from '#contract/fields.ts';
import { otp } from '#contract/split-by-bytes/mailed-fields.ts';
import { onwardFields, outcome } from './calls.ts';
import { as, flag, input, shape } from '#contract/wire.ts';

export const mailedCode = shape({ contact: z.string(), waitSeconds: as('wait_s', z.int()) });

export const secondStep = {
  resendCode: endpoint({
    method: 'POST',
    path: '/api/otp',
    access: 'public',
    input: input({ contact: z.optional(z.string()) }),
    output: mailedCode,
    failures: ['otp_expired', 'too_many_requests'],
  }),
  verifyCode: endpoint({
    method: 'POST',
    path: '/api/verifyotp',
    access: 'public',
    input: input({
      contact: z.string(),
      otp,
      remember: z.optional(flag),
      timeZone: as('timezone', browserTimeZone),
      ...onwardFields,
    }),
    output: outcome,
    failures: ['otp_invalid', 'otp_expired', 'account_is_disable', 'company_sign_in_required'],
  }),
};
