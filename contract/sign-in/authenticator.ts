import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { otp } from '#contract/split-by-bytes/mailed-fields.ts';
import { input, nothing, shape } from '#contract/wire.ts';

export const authenticator = {
  beginSetup: endpoint({
    method: 'POST',
    path: '/api/authenticator/setup',
    access: 'session',
    recentProof: true,
    output: shape({
      /** In base32, for typing. */
      secret: z.string(),
      /** The `otpauth:` address, which opens an app on the same phone. */
      link: z.string(),
      /** The QR code of `link`, as SVG. */
      qrCode: z.string(),
      /** Sealed: which secret, for which session, until when. */
      setup: z.string(),
    }),
    failures: ['mailed_code_required', 'strong_step_required'],
  }),
  finishSetup: endpoint({
    method: 'POST',
    path: '/api/authenticator',
    access: 'session',
    recentProof: true,
    input: input({ setup: z.string().check(z.maxLength(1000)), code: otp }),
    /** The recovery codes, if this setup made the first ones. They are in this answer only. */
    output: shape({ recoveryCodes: z.nullable(z.array(z.string())) }),
    failures: ['otp_invalid', 'otp_expired', 'mailed_code_required', 'strong_step_required'],
  }),
  removeApp: endpoint({
    method: 'DELETE',
    path: '/api/authenticator',
    access: 'session',
    recentProof: true,
    output: nothing,
    failures: ['not_found', 'second_step_needed', 'mailed_code_required', 'strong_step_required'],
  }),
};
