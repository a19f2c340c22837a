import * as z from 'zod/mini';
import { requiredText } from '#contract/split-by-bytes/area-fields.ts';
import { atMost } from '#contract/split-by-bytes/field-parts.ts';
import { endpoint } from '#contract/endpoint.ts';
import { NAME_MAX_CHARACTERS } from '#contract/limits.ts';
import { passkeyId, passkeyOptions, registration } from '#contract/split-by-bytes/passkey-parts.ts';
import { time } from '#contract/time.ts';
import { flag, input, nothing, shape } from '#contract/wire.ts';

export const passkey = shape({
  id: passkeyId,
  /** The name that the person gave it, else its provider's. Null without either. */
  name: z.nullable(z.string()),
  /** The password manager or kind of security key, if the authenticator reveals it. */
  provider: z.nullable(z.string()),
  /** In a password manager on all devices of the person, on one device, or on a security key. */
  kind: z.literal(['synced', 'device', 'security-key']),
  createdTime: time,
  lastUsedTime: z.nullable(time),
});
export type Passkey = z.output<typeof passkey>;

const passkeyName = requiredText.check(atMost(NAME_MAX_CHARACTERS));

/** Why the person can't remove or turn off something; null if they can. */
export const lock = z.nullable(z.literal(['last_way_in', 'second_step_needed']));
export type Lock = z.output<typeof lock>;

export const passkeys = {
  begin: endpoint({
    method: 'POST',
    path: '/api/passkeys/options',
    access: 'session',
    recentProof: true,
    output: shape({ options: passkeyOptions }),
    failures: ['passkey_limit_reached', 'not_allowed', 'mailed_code_required', 'strong_step_required'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/passkeys',
    access: 'session',
    recentProof: true,
    input: input({ credential: registration }),
    /** The recovery codes, if this passkey made the first ones. They are in this answer only. */
    output: shape({ passkey, recoveryCodes: z.nullable(z.array(z.string())) }),
    failures: [
      'passkey_invalid',
      'passkey_exists',
      'passkey_limit_reached',
      'mailed_code_required',
      'strong_step_required',
    ],
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/api/passkeys',
    access: 'session',
    input: input({ id: passkeyId, name: passkeyName }),
    output: passkey,
    failures: ['passkey_not_found', 'no_changes'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/passkeys',
    access: 'session',
    recentProof: true,
    input: input({ id: passkeyId }),
    /** The passkeys that are left, so that the browser can tell the device. */
    output: shape({ userHandle: z.string(), ids: z.array(passkeyId) }),
    failures: [
      'passkey_not_found',
      'last_way_in',
      'second_step_needed',
      'mailed_code_required',
      'strong_step_required',
    ],
  }),
  /** Whether to offer a passkey after a password sign-in: no longer once the person has answered. */
  offer: endpoint({
    method: 'GET',
    path: '/api/passkeys/offer',
    access: 'session',
    output: shape({ isOpen: flag }),
  }),
  declineOffer: endpoint({
    method: 'DELETE',
    path: '/api/passkeys/offer',
    access: 'session',
    output: nothing,
  }),
};
