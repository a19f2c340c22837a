import { useSyncExternalStore } from 'react';
import { ownPageAt } from '#contract/own-page.ts';

/** The query of this visit. Prerendered pages have none. */
export const askedQuery = () => (import.meta.env.SSR ? '' : location.search);

/** Query parameters that apply after sign-in. Each step before it passes them on. */
export const carriedNames = ['closeTab', 'redirect_url', 'org', 'next', 'base', 'source', 'action'] as const;
/** Also the parameters that only steps before sign-in need. */
const waitingNames = [...carriedNames, 'redirectpath'] as const;

/** Tells the login page to ask whether the company offers its sign-out, too. */
export const LEFT_COMPANY = 'left=company';

let isLeaving = false;

/** Opens another page by a full load. `replace` removes this page from the history. */
export function goTo(path: string, { replace = false } = {}) {
  if (isLeaving) return;
  if (replace) location.replace(path);
  else location.assign(path);
}

/** Never settles, so that callers stay busy until the next page loads; refusals meanwhile lead nowhere else. */
export function leaveFor(path: string, options?: { replace: boolean }): Promise<void> {
  goTo(path, options);
  isLeaving = true;
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

export const onwardTo = (path: string, search = location.search) => withQuery(path, carriedNames, search);

export const asideTo = (path: string, search = location.search) => withQuery(path, waitingNames, search);

const unchanging = () => () => {};

/** A value that only the browser knows. The prerendered page has `drawn` until the hydration. */
export const useBrowserValue = <T>(read: () => T, drawn: T) =>
  useSyncExternalStore(unchanging, read, () => drawn);

export const useAside = (path: string) => useBrowserValue(() => asideTo(path), path);

export const askedPath = (search = location.search) =>
  ownPageAt(new URLSearchParams(search).get('redirectpath'));
