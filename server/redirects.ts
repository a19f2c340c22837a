import { ownPageAt } from '#contract/own-page.ts';
import type { Config } from './config.ts';

type Listed = Pick<Config, 'publicUrl' | 'signUrl' | 'seoUrl' | 'allowedRedirects'>;

/** The origins that a redirect may lead to: our own, the applications', and those the operator added. */
const redirectOrigins = ({ publicUrl, signUrl, seoUrl, allowedRedirects }: Listed) =>
  new Set([publicUrl.origin, ...[signUrl, seoUrl].flatMap((url) => url?.origin ?? []), ...allowedRedirects]);

/** The whole origin must match: no other port, user part or look-alike (docs/security.md F1, F9). */
export function allowedRedirect(
  config: Listed,
  target: string | undefined,
  origins: ReadonlySet<string> = redirectOrigins(config),
): URL | undefined {
  if (!target || /[\s\\\p{Cc}]/u.test(target) || !/^https?:\/\/[^/]/i.test(target) || !URL.canParse(target))
    return undefined;
  const url = new URL(target);
  if (!origins.has(url.origin) || url.username !== '' || url.password !== '') return undefined;
  const isOwn = url.origin === config.publicUrl.origin;
  return isOwn && ownPageAt(url.href.slice(url.origin.length)) === undefined ? undefined : url;
}
