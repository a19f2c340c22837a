import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { currentPassword } from '#contract/fields.ts';
import { otp } from '#contract/split-by-bytes/mailed-fields.ts';
import { assertion, passkeyOptions } from '#contract/split-by-bytes/passkey-parts.ts';
import { recoveryCode } from './other-steps.ts';
import { mailedCode } from './second-step.ts';
import { flag, input, nothing, shape } from '#contract/wire.ts';

export const PROOFS = ['passkey', 'password', 'app', 'mail', 'recovery'] as const;

export const stepUp = {
  twoStep: endpoint({
    method: 'GET',
    path: '/api/mfa',
    access: 'session',
    beforeProof: 'whole',
    output: shape({ mfaEnabled: flag }),
  }),
  setTwoStep: endpoint({
    method: 'PUT',
    path: '/api/mfa',
    access: 'session',
    recentProof: true,
    input: input({ mfaEnabled: flag }),
    output: shape({ mfaEnabled: flag }),
    failures: ['account_not_confirmed', 'second_step_needed'],
  }),
  reauthenticate: endpoint({
    method: 'POST',
    path: '/api/reauthenticate',
    access: 'session',
    beforeProof: 'whole',
    /** Exactly one proof. */
    input: input({
      password: z.optional(currentPassword),
      otp: z.optional(otp),
      appCode: z.optional(otp),
      recoveryCode: z.optional(recoveryCode),
      passkey: z.optional(assertion),
    }),
    output: nothing,
    failures: [
      'wrong_password',
      'otp_invalid',
      'otp_expired',
      'passkey_invalid',
      'passkey_unknown',
      'account_is_disable',
      'too_many_requests',
      'unavailable',
    ],
  }),
  proofs: endpoint({
    method: 'GET',
    path: '/api/reauthenticate',
    access: 'session',
    beforeProof: 'whole',
    /** Only ways that meet this rule for second steps. */
    input: input({ step: z.optional(z.literal(['any', 'strong'])) }),
    output: shape({
      ways: z.array(z.literal(PROOFS)),
      /** The organization whose provider can prove the person, too (`companyVisits.prove`). */
      company: z.optional(z.string()),
      /** After a visit: the half of the account's proof that comes next, and the ways to it. */
      missing: z.optional(shape({ half: z.literal(['first', 'second']), ways: z.array(z.literal(PROOFS)) })),
      /** The organization whose other Super Admins can help a person who has lost every second step. */
      helper: z.optional(z.string()),
    }),
  }),
  reauthenticateByPasskey: endpoint({
    method: 'POST',
    path: '/api/reauthenticate/passkey',
    access: 'session',
    beforeProof: 'whole',
    output: shape({ options: passkeyOptions }),
    failures: ['not_allowed'],
  }),
  reauthenticateByMail: endpoint({
    method: 'POST',
    path: '/api/reauthenticate/code',
    access: 'session',
    beforeProof: 'whole',
    output: mailedCode,
    failures: ['not_allowed', 'too_many_requests'],
  }),
};
