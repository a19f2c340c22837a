import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { browserTimeZone, currentPassword, email, redirectPath, redirectUrl } from '#contract/fields.ts';
import { as, flag, input, shape, userId } from '#contract/wire.ts';

/** Who is signed in, as every page asks first. */
export const signedIn = shape({
  id: userId,
  email: z.nullable(z.string()),
  fullName: z.string(),
  confirmed: flag,
});

/** After the password: in, with where to go on to; or a code was mailed to the masked address. */
export const outcome = shape({
  mfaEnabled: flag,
  next: z.optional(z.string()),
  code: z.optional(z.string()),
  contact: z.optional(z.string()),
});
/** Where to go on to, as the page was asked. */
export const onwardFields = {
  redirectPath: as('redirectpath', z.optional(redirectPath)),
  redirectUrl: z.optional(redirectUrl),
};
export const signIn = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/signin',
    access: 'public',
    input: input({
      email: as('email_id', email),
      password: currentPassword,
      timeZone: as('timezone', browserTimeZone),
      ...onwardFields,
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
  status: endpoint({
    method: 'GET',
    path: '/api/ustat',
    access: 'public',
    output: z.nullable(signedIn),
  }),
};
