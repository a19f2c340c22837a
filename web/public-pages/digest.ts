import { digestIn } from '#contract/accounts/copied-link.ts';

/** Out of the address bar, so that nobody sees or copies it. The history entry keeps it for a reload. */
export function takeDigest(): string | undefined {
  // The server renders such a page only for visits with a digest.
  if (import.meta.env.SSR) return 'drawn';
  const url = new URL(location.href);
  const state = (history.state ?? {}) as { digest?: unknown };
  const raw = url.searchParams.get('digest') ?? state.digest;
  if (url.searchParams.has('digest')) {
    url.searchParams.delete('digest');
    history.replaceState({ ...state, digest: raw }, '', url);
  }
  return digestIn(raw);
}

export const isLinkBroken = () => typeof (history.state as { digest?: unknown } | null)?.digest === 'string';
