import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import {
  browserTimeZone,
  currentPassword,
  digest,
  email,
  newPassword,
  redirectPath,
} from '#contract/fields.ts';
import { as, flag, input, nothing, shape, userId } from '#contract/wire.ts';

/** Who is signed in, as every page asks first. */
export const signedIn = shape({
  id: userId,
  email: z.nullable(z.string()),
  fullName: z.string(),
  confirmed: flag,
});

export const signIn = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/signin',
    summary: 'Sign in with address and password',
    access: 'public',
    input: input({
      email: as('email_id', email),
      password: currentPassword,
      timeZone: as('timezone', browserTimeZone),
      redirectPath: as('redirectpath', z.optional(redirectPath)),
    }),
    output: shape({ mfaEnabled: flag, next: z.optional(z.string()) }),
    failures: ['invalid_credentials', 'account_not_confirmed', 'account_is_disable', 'unavailable'],
  }),
  createPassword: endpoint({
    method: 'POST',
    path: '/api/resetpassword',
    summary: 'Choose a first password with a mailed or handed-on digest; opens a session',
    access: 'public',
    input: input({ password: newPassword, digest, timeZone: as('timezone', browserTimeZone) }),
    output: nothing,
    failures: ['digest_invalid', 'digest_expired', 'unavailable'],
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/ustat',
    summary: 'Who is signed in, or null',
    access: 'public',
    output: z.nullable(signedIn),
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/logout',
    summary: 'End this session',
    access: 'session',
    output: nothing,
  }),
};
