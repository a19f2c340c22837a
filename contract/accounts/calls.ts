import * as z from 'zod/mini';
import { termsVersion } from './terms.ts';
import { endpoint } from '#contract/endpoint.ts';
import { browserTimeZone, email, newPassword } from '#contract/fields.ts';
import { as, flag, input, shape, userId } from '#contract/wire.ts';

export const accounts = {
  signUp: endpoint({
    method: 'POST',
    path: '/api/signup',
    access: 'public',
    input: input({
      email: as('emailId', email),
      password: newPassword,
      timeZone: as('timezone', browserTimeZone),
      termsVersion: z.optional(termsVersion),
    }),
    output: shape({ id: z.optional(userId), confirmed: flag }),
    failures: ['email_id_exist', 'too_many_requests', 'unavailable'],
  }),
};
