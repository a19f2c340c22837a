import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { currentPassword, email } from '#contract/fields.ts';
import { digest } from '#contract/split-by-bytes/mailed-fields.ts';
import { as, flag, input, nothing, shape } from '#contract/wire.ts';

export const confirmation = {
  verifyEmail: endpoint({
    method: 'POST',
    path: '/api/verifyemail',
    access: 'public',
    sessionProves: true,
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
    failures: ['too_many_requests'],
  }),
};
