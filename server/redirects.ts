import type { Config } from '#server/config.ts';

/** The origins that a redirect may leave to: our own, the applications', and those the operator added. */
export function redirectOrigins(
  config: Pick<Config, 'publicUrl' | 'signUrl' | 'seoUrl' | 'allowedRedirects'>,
) {
  const { publicUrl, signUrl, seoUrl, allowedRedirects } = config;
  return new Set([
    publicUrl.origin,
    ...[signUrl, seoUrl].flatMap((url) => url?.origin ?? []),
    ...allowedRedirects,
  ]);
}

/**
 * An absolute address that one may be sent on to, as the URL parser reads it; undefined for everything else.
 * Compared as a whole origin: no other port or scheme, no user part, no look-alike (docs/security.md F1, ASVS 3.7.2).
 */
export function allowedRedirect(origins: ReadonlySet<string>, asked: string | undefined): URL | undefined {
  if (!asked || /[\s\\\p{Cc}]/u.test(asked) || !/^https?:\/\/[^/]/i.test(asked) || !URL.canParse(asked))
    return undefined;
  const url = new URL(asked);
  return origins.has(url.origin) && url.username === '' && url.password === '' ? url : undefined;
}
