import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { fieldText } from '#contract/text/fields.ts';
import { as, flag, input, shape } from '#contract/wire.ts';

/** Whose account opens the door; the numbers are the specification's. */
const channels = { '1': 'facebook', '2': 'google' } as const;
export type ProviderName = (typeof channels)[keyof typeof channels];
export const providerNames = Object.values(channels);

/** The ways to sign in; the browser remembers which one was used last. */
export const signInMethods = ['password', ...providerNames] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** From asking for the address until the provider sends the person back. */
export const SOCIAL_SIGN_IN_MINUTES = 10;

const channel = z.codec(
  z.literal(['1', '2'], { error: fieldText.wrongType }),
  z.literal(providerNames, { error: fieldText.wrongType }),
  { decode: (number) => channels[number], encode: (name) => (name === 'facebook' ? '1' : '2') },
);

/** Each provider, whether its account opens one's own, and whether it is set up here. */
const linked = z.array(shape({ provider: z.literal(providerNames), linked: flag, available: flag }));

export const social = {
  start: endpoint({
    method: 'GET',
    path: '/api/auth',
    access: 'public',
    // Linking is a sensitive act; signing in, when nobody is signed in, is not asked for a proof.
    recentProof: true,
    waitsElsewhere: true,
    input: input({
      state: z.literal('2', { error: fieldText.wrongType }),
      channel: as('channel_type', channel),
    }),
    output: shape({ authUrl: z.string() }),
    failures: ['social_not_set_up', 'reauthentication_required', 'too_many_requests'],
  }),
  linked: endpoint({
    method: 'GET',
    path: '/api/auth/linked',
    access: 'session',
    output: linked,
  }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/api/auth/linked',
    access: 'session',
    recentProof: true,
    input: input({ provider: z.literal(providerNames, { error: fieldText.wrongType }) }),
    output: linked,
    failures: ['not_allowed'],
  }),
};
