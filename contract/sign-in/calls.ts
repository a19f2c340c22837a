import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { browserTimeZone, currentPassword, email, redirectPath, redirectUrl } from '#contract/fields.ts';
import { as, flag, input, shape, userId } from '#contract/wire.ts';

/** The signed-in person. Every page asks for them first. */
export const signedIn = shape({
  id: userId,
  email: z.nullable(z.string()),
  fullName: z.string(),
  confirmed: flag,
  /** The person's value for `PERSON_HEADER`. */
  person: z.string(),
});

export const SECOND_STEPS = ['passkey', 'app', 'mail', 'recovery'] as const;
export type SecondStep = (typeof SECOND_STEPS)[number];

/** Signed in with the next address, or a second step is due. If `ways` begins with `mail`, a code was mailed. */
export const outcome = shape({
  mfaEnabled: flag,
  next: z.optional(z.string()),
  code: z.optional(z.string()),
  contact: z.optional(z.string()),
  ways: z.optional(z.array(z.literal(SECOND_STEPS))),
});
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
      'company_sign_in_required',
      'too_many_requests',
      'unavailable',
    ],
  }),
  status: endpoint({ method: 'GET', path: '/api/ustat', access: 'public', output: z.nullable(signedIn) }),
};
