import * as z from 'zod/mini';
import {
  APPLICATION_KINDS,
  applicationTitle,
  exactAddress,
  optionalAddress,
  redirectAddresses,
  signedOutAddresses,
} from '#contract/applications/registration.ts';
import { generalText } from '#contract/area-fields.ts';
import { addressText } from '#contract/text/registration.ts';

const SECRET_PARTS = ['d', 'k', 'p', 'q'];
type JwkSet = { readonly keys: readonly object[] };
const isPublicKey = (key: unknown) =>
  typeof key === 'object' && key !== null && 'kty' in key && SECRET_PARTS.every((part) => !(part in key));
const isPublicKeySet = (value: unknown): value is JwkSet =>
  typeof value === 'object' &&
  value !== null &&
  'keys' in value &&
  Array.isArray(value.keys) &&
  value.keys.length > 0 &&
  value.keys.every(isPublicKey);

/** An application of the suite, which the operator registers. An empty address means none. */
export const suiteApplication = z
  .object({
    name: applicationTitle,
    description: generalText,
    kind: z.literal(APPLICATION_KINDS, { error: addressText.kind }),
    isFirstParty: z.boolean(),
    startUrl: optionalAddress,
    redirectUrls: redirectAddresses,
    signedOutUrls: signedOutAddresses,
    signOutUrl: optionalAddress,
    algorithm: z.literal(['ES256', 'RS256'], { error: addressText.algorithm }),
    /** The JWK Set that replaces a secret. */
    publicKeys: z.nullable(z.custom<JwkSet>(isPublicKeySet, { error: addressText.publicKeys })),
    apis: z.array(exactAddress),
    requiresPar: z.boolean(),
    requiresDpop: z.boolean(),
  })
  .check(
    z.refine(({ kind, redirectUrls }) => (kind === 'server') === (redirectUrls.length === 0), {
      path: ['redirectUrls'],
      error: ({ input }) =>
        (input as { kind: string }).kind === 'server' ? addressText.noPages : addressText.noRedirect,
    }),
    z.refine(({ kind, publicKeys }) => !publicKeys || kind === 'web' || kind === 'server', {
      path: ['publicKeys'],
      error: addressText.keysOfServers,
    }),
  );
export type SuiteApplication = z.output<typeof suiteApplication>;

/** A program in people's hands cannot keep a secret; an application with keys needs none. */
export const hasSecret = ({ kind, publicKeys }: Pick<SuiteApplication, 'kind' | 'publicKeys'>) =>
  !publicKeys && (kind === 'web' || kind === 'server');
