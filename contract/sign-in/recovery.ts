import * as z from 'zod/mini';
import { termsVersion } from '#contract/accounts/terms.ts';
import { endpoint } from '#contract/endpoint.ts';
import { browserTimeZone, email, newPassword } from '#contract/fields.ts';
import { digest } from '#contract/split-by-bytes/mailed-fields.ts';
import { as, input, nothing, shape } from '#contract/wire.ts';

const choose = input({
  password: newPassword,
  digest,
  timeZone: as('timezone', browserTimeZone),
  termsVersion: z.optional(termsVersion),
});

export const recovery = {
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/forgotpassword',
    access: 'public',
    input: input({ email: as('email_id', email) }),
    output: nothing,
    failures: ['user_not_found', 'too_many_requests'],
  }),
  /** The address of the account whose password a mailed digest sets. It uses nothing up. */
  passwordOwner: endpoint({
    method: 'GET',
    path: '/api/resetpassword',
    access: 'public',
    input: input({ digest }),
    output: shape({ email: z.nullable(z.string()) }),
    failures: ['digest_invalid', 'digest_expired'],
  }),
  resetPassword: endpoint({
    method: 'PUT',
    path: '/api/resetpassword',
    access: 'public',
    input: choose,
    output: nothing,
    failures: ['digest_invalid', 'digest_expired', 'same_password', 'unavailable'],
  }),
  createPassword: endpoint({
    method: 'POST',
    path: '/api/resetpassword',
    access: 'public',
    input: choose,
    output: nothing,
    failures: ['digest_invalid', 'digest_expired', 'unavailable'],
  }),
  notMe: endpoint({
    method: 'POST',
    path: '/api/notme',
    access: 'public',
    input: input({ digest }),
    output: shape({ digest }),
    failures: ['digest_invalid', 'digest_expired'],
  }),
};
