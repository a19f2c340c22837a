import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { browserTimeZone, currentPassword, digest, email, newPassword } from '#contract/fields.ts';
import { as, flag, input, nothing, shape, userId } from '#contract/wire.ts';

export const accounts = {
  signUp: endpoint({
    method: 'POST',
    path: '/api/signup',
    access: 'public',
    input: input({
      email: as('emailId', email),
      password: newPassword,
      timeZone: as('timezone', browserTimeZone),
    }),
    output: shape({ id: z.optional(userId), confirmed: flag }),
    failures: ['email_id_exist', 'too_many_requests', 'unavailable'],
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/api/verifyemail',
    access: 'public',
    input: input({ digest, password: z.optional(currentPassword) }),
    output: shape({ passwordNeeded: flag, digest: z.optional(digest) }),
    failures: ['digest_invalid', 'digest_expired', 'wrong_password', 'email_id_exist', 'unavailable'],
  }),
  resendVerification: endpoint({
    method: 'POST',
    path: '/api/verifyemail/resend',
    access: 'public',
    input: input({ email: as('email_id', email) }),
    output: nothing,
  }),
};
