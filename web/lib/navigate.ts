import { useSyncExternalStore } from 'react';

/** The query of this visit; pages are drawn ahead as they are without one. */
export const askedQuery = () => (import.meta.env.SSR ? '' : location.search);

/** What a person came with for the way after signing in; every step of the way in hands it on. */
const carriedNames = ['closeTab', 'redirect_url', 'org', 'next', 'base', 'source', 'action'] as const;
/** What only the steps before signing in need. */
const waitingNames = [...carriedNames, 'redirectpath'] as const;

/** Moves to another page by a full load; `replace` leaves no way back to this one. */
export function goTo(path: string, { replace = false } = {}) {
  if (replace) location.replace(path);
  else location.assign(path);
}

/** Moves on and never settles: what waits for it stays busy until the next page is there. */
export function leaveFor(path: string, options?: { replace: boolean }): Promise<void> {
  goTo(path, options);
  return new Promise(() => {});
}

function withQuery(path: string, names: readonly string[], search: string) {
  const from = new URLSearchParams(search);
  const query = new URLSearchParams();
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** The path with the query that landing reads after signing in. */
export const onwardTo = (path: string, search = location.search) => withQuery(path, carriedNames, search);

/** The path of another step before signing in, with all that waits for the end of them. */
export const asideTo = (path: string, search = location.search) => withQuery(path, waitingNames, search);

const unchanging = () => () => {};

/** `asideTo` for a link: pages are drawn ahead without the query, so it joins the path once the browser has them. */
export const useAside = (path: string) =>
  useSyncExternalStore(
    unchanging,
    () => asideTo(path),
    () => path,
  );

const OWN_PATH_MAX_CHARACTERS = 2000;
/** Backslashes count as slashes in addresses, and a later decoding would make them of their escapes. */
const slashes = /\\|^\/(?:%2f|%5c)/i;
const controls = /[\p{Cc}\p{Cf}\p{Z}]|%(?:[01][0-9a-f]|7f)/iu;

/**
 * The value when it is a path of this origin, else undefined: it comes from the address bar, where anyone may
 * have written it, so nothing that any reader could take for another host gets through.
 */
export function ownPath(value: string | null | undefined, origin = location.origin): string | undefined {
  if (!value?.startsWith('/') || value.startsWith('//')) return undefined;
  if (slashes.test(value) || controls.test(value)) return undefined;
  const url = URL.parse(value, origin);
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return undefined;
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.length > OWN_PATH_MAX_CHARACTERS ? undefined : path;
}

/** The page a person was on their way to when they were asked to sign in. */
export const askedPath = (search = location.search) =>
  ownPath(new URLSearchParams(search).get('redirectpath'));
