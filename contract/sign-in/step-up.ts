import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { currentPassword } from '#contract/fields.ts';
import { otp } from '#contract/mailed-fields.ts';
import { mailedCode } from '#contract/sign-in/second-step.ts';
import { flag, input, nothing, shape } from '#contract/wire.ts';

export const stepUp = {
  twoStep: endpoint({
    method: 'GET',
    path: '/api/mfa',
    access: 'session',
    output: shape({ mfaEnabled: flag }),
  }),
  setTwoStep: endpoint({
    method: 'PUT',
    path: '/api/mfa',
    access: 'session',
    recentProof: true,
    input: input({ mfaEnabled: flag }),
    output: shape({ mfaEnabled: flag }),
    failures: ['account_not_confirmed'],
  }),
  reauthenticate: endpoint({
    method: 'POST',
    path: '/api/reauthenticate',
    access: 'session',
    input: input({ password: z.optional(currentPassword), otp: z.optional(otp) }),
    output: nothing,
    failures: [
      'wrong_password',
      'otp_invalid',
      'otp_expired',
      'account_is_disable',
      'too_many_requests',
      'unavailable',
    ],
  }),
  reauthenticateByMail: endpoint({
    method: 'POST',
    path: '/api/reauthenticate/code',
    access: 'session',
    output: mailedCode,
    failures: ['not_allowed', 'too_many_requests'],
  }),
};
