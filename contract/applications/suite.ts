import * as z from 'zod/mini';
import {
  addressProblems,
  APPLICATION_KINDS,
  applicationTitle,
  exactAddress,
  keepsSecret,
  optionalAddress,
  redirectAddresses,
  signedOutAddresses,
} from './registration.ts';
import { generalText } from '#contract/split-by-bytes/area-fields.ts';
import { orgId } from '#contract/wire.ts';
import { addressText } from '#words/rules/address.ts';

const text = z.string().check(z.minLength(1));
const each = <T extends z.core.$ZodType>(names: readonly string[], type: T) =>
  Object.fromEntries(names.map((name) => [name, type]));
const PRIVATE = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'priv'];
const keyOf = (type: string, members: readonly string[]) =>
  z.looseObject({
    kty: z.literal(type),
    ...each(members, text),
    ...each(['alg', 'kid', 'use'], z.optional(text)),
    ...each(PRIVATE, z.optional(z.never())),
    x5c: z.optional(z.array(text)),
  });
/** Public keys as a JWK Set (RFC 7517, section 5). */
const publicKeySet = z.looseObject({
  keys: z
    .array(z.union([keyOf('RSA', ['n', 'e']), keyOf('EC', ['crv', 'x', 'y']), keyOf('OKP', ['crv', 'x'])]))
    .check(z.minLength(1)),
});
type JwkSet = { readonly keys: readonly object[] };
const isPublicKeySet = (value: unknown): value is JwkSet => z.safeParse(publicKeySet, value).success;

/** In place of an organization: members of any one may enter. */
export const ANY_ORGANIZATION = 0;
/** The organization whose active members may enter; null: everybody with an account. */
const membersOf = z.nullable(z.union([orgId, z.literal(ANY_ORGANIZATION)]));

/** The settings that make no sense without people. */
const forPeople = ['startUrl', 'redirectUrls', 'signedOutUrls', 'signOutUrl'] as const;
type ForPeople = Readonly<Record<(typeof forPeople)[number] | 'kind', unknown>>;
const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0);

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
    requiresPkce: z.boolean(),
    membersOf,
  })
  .check(
    ({ value, issues }) => {
      for (const [field, message] of Object.entries(addressProblems(value)))
        issues.push({ code: 'custom', path: [field], message, input: value });
    },
    ...forPeople.map((setting) =>
      z.refine<ForPeople>((settings) => settings.kind !== 'server' || isEmpty(settings[setting]), {
        path: [setting],
        error: addressText.noPages,
      }),
    ),
    z.refine(({ kind, requiresPkce }) => requiresPkce || kind === 'web', {
      path: ['requiresPkce'],
      error: addressText.pkce,
    }),
    z.refine(({ kind, publicKeys }) => !publicKeys || keepsSecret(kind), {
      path: ['publicKeys'],
      error: addressText.keysOfServers,
    }),
  );
export type SuiteApplication = z.output<typeof suiteApplication>;

/** An application with keys needs no secret. */
export const hasSecret = ({ kind, publicKeys }: Pick<SuiteApplication, 'kind' | 'publicKeys'>) =>
  !publicKeys && keepsSecret(kind);

export const unsetApplication: SuiteApplication = {
  name: '',
  description: '',
  kind: 'web',
  isFirstParty: false,
  startUrl: '',
  redirectUrls: [],
  signedOutUrls: [],
  signOutUrl: '',
  algorithm: 'ES256',
  publicKeys: null,
  apis: [],
  requiresPar: false,
  requiresDpop: false,
  requiresPkce: true,
  membersOf: null,
};
