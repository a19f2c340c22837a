import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { browserTimeZone, currentPassword, email, otp, redirectPath, redirectUrl } from '#contract/fields.ts';
import { as, flag, input, nothing, shape, userId } from '#contract/wire.ts';

/** Who is signed in, as every page asks first. */
export const signedIn = shape({
  id: userId,
  email: z.nullable(z.string()),
  fullName: z.string(),
  confirmed: flag,
});

/** After the password: in, with where to go on to; or a code was mailed to the masked address. */
const outcome = shape({
  mfaEnabled: flag,
  next: z.optional(z.string()),
  code: z.optional(z.string()),
  contact: z.optional(z.string()),
});
const onward = {
  redirectPath: as('redirectpath', z.optional(redirectPath)),
  redirectUrl: z.optional(redirectUrl),
};
export const mailedCode = shape({ contact: z.string(), waitSeconds: as('wait_s', z.int()) });

export const signIn = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/signin',
    access: 'public',
    input: input({
      email: as('email_id', email),
      password: currentPassword,
      timeZone: as('timezone', browserTimeZone),
      ...onward,
    }),
    output: outcome,
    failures: [
      'invalid_credentials',
      'account_not_confirmed',
      'account_is_disable',
      'too_many_requests',
      'unavailable',
    ],
  }),
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
    input: input({ contact: z.string(), otp, timeZone: as('timezone', browserTimeZone), ...onward }),
    output: outcome,
    failures: ['otp_invalid', 'otp_expired', 'account_is_disable'],
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/ustat',
    access: 'public',
    output: z.nullable(signedIn),
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/logout',
    access: 'session',
    leavesSession: true,
    output: nothing,
  }),
};
