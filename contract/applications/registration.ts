import * as z from 'zod/mini';
import { requiredText } from '#contract/split-by-bytes/area-fields.ts';
import { atMost, requiredRule, trimmedText } from '#contract/split-by-bytes/field-parts.ts';
import { NAME_MAX_CHARACTERS, TEXT_MAX_CHARACTERS } from '#contract/limits.ts';
import { fieldText } from '#words/rules/field.ts';
import type { RuleText } from '#contract/rule-text.ts';
import { addressText as readNow } from '#words/address.ts';
import { addressText } from '#words/rules/address.ts';

export { type Scope, SCOPES } from '#contract/split-by-bytes/scopes.ts';

const id = <B extends string>() => z.int().check(z.minimum(1)).brand<B>();
export const applicationId = id<'ApplicationId'>();
export const grantId = id<'GrantId'>();
export type ApplicationId = z.output<typeof applicationId>;
export type GrantId = z.output<typeof grantId>;

/** A server with pages, a program in the browser, an installed program, and a server without people. */
export const APPLICATION_KINDS = ['web', 'single-page', 'native', 'server'] as const;
export type ApplicationKind = (typeof APPLICATION_KINDS)[number];

export const ADDRESSES_MAX = 20;

export const applicationTitle = requiredText.check(atMost(NAME_MAX_CHARACTERS));

const must = (pattern: RegExp, error: RuleText) => z.regex(pattern, { error, abort: true });

/** Browsers and Node have it, but the contract knows the types of neither. */
declare const URL: { parse: (address: string) => { protocol: string; hostname: string } | null };

/** Compared letter by letter (RFC 9700, 2.1). The database repeats the rule (`is_exact_address`). */
export const exactAddress = trimmedText().check(
  requiredRule,
  z.maxLength(TEXT_MAX_CHARACTERS, { error: fieldText.tooLong({ max: TEXT_MAX_CHARACTERS }), abort: true }),
  must(/^[^*]*$/, addressText.wildcard),
  must(/^[^#]*$/, addressText.fragment),
  must(/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/?]|$))/, addressText.scheme),
  must(/^[a-z]+:\/\/[^/?@]*([/?]|$)/, addressText.userPart),
  must(
    /^[a-z]+:\/\/([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?([/?][A-Za-z0-9!$%&'()+,./:;=?@[\]_~-]*)?$/,
    addressText.address,
  ),
  // Too high a port or an impossible IP address has the right form. `z.url` would weigh on every page with a form.
  z.refine((address) => URL.parse(address) !== null, { error: addressText.address, abort: true }),
);

const addresses = () =>
  z.array(exactAddress).check(
    z.maxLength(ADDRESSES_MAX, { error: addressText.tooMany({ max: ADDRESSES_MAX }) }),
    z.refine((list) => new Set(list).size === list.length, { error: addressText.twice }),
  );
export const redirectAddresses = addresses();
export const signedOutAddresses = addresses();

type Addresses = {
  readonly kind: ApplicationKind;
  readonly redirectUrls: readonly string[];
  readonly signedOutUrls: readonly string[];
};
/** An installed program cannot have a certificate for these hosts. */
function isSecureLoopback(address: string) {
  const url = URL.parse(address);
  return url?.protocol === 'https:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

export function addressProblems({ kind, redirectUrls, signedOutUrls }: Addresses) {
  const isLoopback = (list: readonly string[]) => kind === 'native' && list.some(isSecureLoopback);
  const isMissing = kind !== 'server' && redirectUrls.length === 0;
  return {
    ...(isMissing && { redirectUrls: readNow.noRedirect }),
    ...(isLoopback(redirectUrls) && { redirectUrls: readNow.loopback }),
    ...(isLoopback(signedOutUrls) && { signedOutUrls: readNow.loopback }),
  };
}

/** A program in people's hands cannot keep a secret. It proves itself by PKCE instead. */
export const keepsSecret = (kind: ApplicationKind) => kind === 'web' || kind === 'server';

const orEmpty = <T extends z.core.$ZodType<string, string>>(address: T) =>
  z.union([z.literal(''), address], { error: (issue) => addressMessage(issue) });

/** A failed union does not say which rule failed, so take the message of the address. */
function addressMessage(issue: { code?: string | undefined }): string | undefined {
  if (!('errors' in issue) || !Array.isArray(issue.errors)) return undefined;
  const branches = issue.errors as { message: string }[][];
  return branches.at(-1)?.[0]?.message;
}

export const optionalAddress = orEmpty(exactAddress);
/** The back-channel logout address of an organization's own application: a public host name. */
export const publicAddress = orEmpty(
  exactAddress.check(
    must(
      /^https:\/\/([A-Za-z0-9-]+\.)+(?!local|localhost|internal)[A-Za-z][A-Za-z0-9-]*(:[0-9]+)?([/?]|$)/i,
      addressText.publicAddress,
    ),
  ),
);
