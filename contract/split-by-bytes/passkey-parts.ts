import * as z from 'zod/mini';

/** Bytes as base64url, as WebAuthn writes them in JSON. */
const bytes = (max: number) => z.string().check(z.maxLength(max), z.regex(/^[A-Za-z0-9_-]+$/));

/** WebAuthn, section 5.8.4. A credential id has at most 1,023 bytes. */
export const passkeyId = bytes(1364);

const credential = { id: passkeyId, rawId: passkeyId, type: z.literal('public-key') };

/** A new passkey, as the browser sends it (WebAuthn RegistrationResponseJSON). */
export const registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    attestationObject: bytes(16_384),
    transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
  }),
});
export type Registration = z.output<typeof registration>;

/** The signature of a passkey, as the browser sends it (WebAuthn AuthenticationResponseJSON). */
export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(8192),
    userHandle: z.optional(z.nullable(bytes(200))),
  }),
});
export type Assertion = z.output<typeof assertion>;

/** The argument of `navigator.credentials.create` or `.get` as JSON. */
export const passkeyOptions = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null,
);
