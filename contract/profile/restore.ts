import { endpoint } from '#contract/endpoint.ts';
import { digest } from '#contract/split-by-bytes/mailed-fields.ts';
import { input, shape } from '#contract/wire.ts';

export const emailRestore = {
  restoreEmail: endpoint({
    method: 'POST',
    path: '/api/restoreemail',
    access: 'public',
    input: input({ digest }),
    output: shape({ digest }),
    failures: ['digest_invalid', 'digest_expired', 'email_id_exist', 'unavailable'],
  }),
};
