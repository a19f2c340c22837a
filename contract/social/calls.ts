import * as z from 'zod/mini';
import { termsVersion } from '#contract/accounts/terms.ts';
import { endpoint } from '#contract/endpoint.ts';
import { fieldText } from '#words/rules/field.ts';
import { as, flag, input, shape } from '#contract/wire.ts';

/** The social sign-in providers, by their number in the specification. */
const channels = { '1': 'facebook', '2': 'google' } as const;
export type ProviderName = (typeof channels)[keyof typeof channels];
export const providerNames = Object.values(channels);

/** The ways to sign in. The browser remembers the last one used. */
export const signInMethods = ['password', 'passkey', ...providerNames] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const SOCIAL_SIGN_IN_MINUTES = 10;

const numbers = Object.keys(channels) as (keyof typeof channels)[];
const channel = z.codec(
  z.literal(numbers, { error: fieldText.wrongType }),
  z.literal(providerNames, { error: fieldText.wrongType }),
  {
    decode: (number) => channels[number],
    encode: (name) => numbers.find((number) => channels[number] === name)!,
  },
);

/** Each provider: whether it is linked to the caller's account, and whether this site has set it up. */
const linkedProviders = z.array(shape({ provider: z.literal(providerNames), linked: flag, available: flag }));

/** The state of a visit to a provider, which names the identity that waits for a word. */
export const visit = z
  .string({ error: fieldText.wrongType })
  .check(z.maxLength(200, { error: fieldText.wrongType }));

export const social = {
  start: endpoint({
    method: 'GET',
    path: '/api/auth',
    access: 'public',
    // Linking needs a recent proof. A caller without a session signs in and needs none.
    recentProof: true,
    // It stores the attempt and sets a cookie.
    alsoWrites: true,
    waitsElsewhere: true,
    input: input({
      state: z.literal('2', { error: fieldText.wrongType }),
      channel: as('channel_type', channel),
      termsVersion: z.optional(termsVersion),
    }),
    output: shape({ authUrl: z.string() }),
    failures: [
      'social_not_set_up',
      'reauthentication_required',
      'too_many_requests',
      'mailed_code_required',
      'strong_step_required',
    ],
  }),
  /** The identity that came back to this session, before the caller links it. */
  waiting: endpoint({
    method: 'GET',
    path: '/api/auth/link',
    access: 'session',
    input: input({ visit }),
    output: shape({
      link: z.nullable(shape({ provider: z.literal(providerNames), said: z.nullable(z.string()) })),
    }),
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/auth/link',
    access: 'session',
    recentProof: true,
    input: input({ visit }),
    output: shape({ provider: z.literal(providerNames) }),
    failures: ['not_found', 'not_allowed', 'mailed_code_required', 'strong_step_required'],
  }),
  linked: endpoint({ method: 'GET', path: '/api/auth/linked', access: 'session', output: linkedProviders }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/api/auth/linked',
    access: 'session',
    recentProof: true,
    input: input({ provider: z.literal(providerNames, { error: fieldText.wrongType }) }),
    output: linkedProviders,
    failures: ['last_way_in'],
  }),
};
