import * as z from 'zod/mini';
import { digest } from '#contract/mailed-fields.ts';

/**
 * The secret of a mailed link, taken out of the address bar so that it is neither seen nor copied along.
 * The history entry itself remembers it, so that loading the page again does not lose the link.
 */
export function takeDigest(): string | undefined {
  // The server draws a page ahead only for visits that bring one.
  if (import.meta.env.SSR) return 'drawn';
  const url = new URL(location.href);
  const kept = (history.state ?? {}) as { digest?: unknown };
  const found = url.searchParams.get('digest') ?? kept.digest;
  if (url.searchParams.has('digest')) {
    url.searchParams.delete('digest');
    history.replaceState({ ...kept, digest: found }, '', url);
  }
  const checked = z.safeParse(digest, found);
  return checked.success ? checked.data : undefined;
}
