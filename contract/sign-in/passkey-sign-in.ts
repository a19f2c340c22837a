import { endpoint } from '#contract/endpoint.ts';
import { browserTimeZone } from '#contract/fields.ts';
import { onwardFields, outcome } from './calls.ts';
import { assertion, passkeyOptions } from '#contract/split-by-bytes/passkey-parts.ts';
import { as, flag, input, shape } from '#contract/wire.ts';

export const passkeySignIn = {
  beginPasskey: endpoint({
    method: 'POST',
    path: '/api/signin/passkey/options',
    access: 'public',
    /** Whether the passkey is the second step of this browser's sign-in, or the whole sign-in. */
    input: input({ isSecondStep: as('second_step', flag) }),
    output: shape({ options: passkeyOptions }),
    failures: ['otp_expired', 'not_allowed', 'too_many_requests'],
  }),
  signInWithPasskey: endpoint({
    method: 'POST',
    path: '/api/signin/passkey',
    access: 'public',
    input: input({ credential: assertion, timeZone: as('timezone', browserTimeZone), ...onwardFields }),
    output: outcome,
    failures: [
      'passkey_invalid',
      'passkey_unknown',
      'otp_expired',
      'account_not_confirmed',
      'account_is_disable',
      'company_sign_in_required',
      'too_many_requests',
    ],
  }),
};
