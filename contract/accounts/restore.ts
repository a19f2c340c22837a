import { endpoint } from '#contract/endpoint.ts';
import { email } from '#contract/fields.ts';
import { digest } from '#contract/split-by-bytes/mailed-fields.ts';
import { as, input, nothing } from '#contract/wire.ts';

export const accountRestore = {
  restore: endpoint({
    method: 'POST',
    path: '/api/restoreaccount',
    access: 'public',
    input: input({ digest }),
    output: nothing,
    failures: ['digest_invalid', 'digest_expired'],
  }),
  resendRestore: endpoint({
    method: 'POST',
    path: '/api/restoreaccount/resend',
    access: 'public',
    input: input({ email: as('email_id', email) }),
    output: nothing,
    failures: ['too_many_requests'],
  }),
};
