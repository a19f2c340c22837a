import type { ComponentType } from 'react';
import { focusManager, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { members } from '#contract/members.ts';
import { call, CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { showChanged } from '#web/lib/show-changed.ts';
import { lateCode } from '#web/ui/late-code.ts';
import { type OwnPageName, type OwnPageProps, ownPages, pageAt, pageOf, type PagePath } from './pages.ts';
import { openSession, refreshSession, type Session } from './session.ts';

/** What says that session or rights have changed elsewhere. */
const ended = new Set(['not_signed_in', 'not_allowed', 'org_not_found']);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Whatever is looked up first finds out, and leads on as a write would; before the area has opened there is nothing to end.
    onError: (failure) => {
      const ends = failure instanceof CallError && ended.has(failure.code);
      if (ends && sessionNow()) present(failure);
    },
  }),
  defaultOptions: {
    // Offline, a paused query would look like an endless load; a failed one can be tried again.
    queries: { networkMode: 'always', retry: false },
  },
});

// By itself the library only notices another tab, not another window.
focusManager.setEventListener((onFocus) => {
  const stop = new AbortController();
  for (const kind of ['visibilitychange', 'focus'])
    addEventListener(kind, () => onFocus(), { signal: stop.signal });
  return () => stop.abort();
});

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => {
    const opened = queryClient.getQueryData<Session>(['session']);
    return opened ? refreshSession(opened) : openSession(location.pathname);
  },
  staleTime: Infinity,
  // Rights may have changed elsewhere, and who opened the mailed link in another tab comes back here.
  refetchOnWindowFocus: 'always',
});

/** Who waits for an answer of this person; looked up again as they come back to the window. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => call(members.invitations, {}),
  refetchOnWindowFocus: true,
});

/** The session as it is shown now. */
export const sessionNow = () => queryClient.getQueryData<Session>(sessionQuery.queryKey);

/** Shows what has changed of a part of the session; the rest of it stays as it is by now. */
const showChangedOf =
  <Part extends 'user' | 'current'>(part: Part) =>
  (changed: Partial<Session[Part]>) =>
    showChanged<Session>(queryClient, sessionQuery.queryKey, {
      [part]: { ...sessionNow()?.[part], ...changed },
    });
export const showChangedUser = showChangedOf('user');
export const showChangedOrganization = showChangedOf('current');

/** The code of a page: fetched once, and again only when that failed. */
export const pageQuery = (path: PagePath) =>
  queryOptions({
    queryKey: ['page', path],
    queryFn: pageOf(path).load,
    staleTime: Infinity,
    gcTime: Infinity,
  });

/** The same of a page that needs no organization. */
export const ownPageQuery = (name: OwnPageName) =>
  queryOptions({
    queryKey: ['page', 'own', name],
    queryFn: (): Promise<ComponentType<OwnPageProps>> => ownPages[name].load(),
    staleTime: Infinity,
    gcTime: Infinity,
  });

/** The code of the page at a path, if there is such a page: false when it did not come, which an alert has said. */
export async function loadPageAt(path: string, loadAnew?: () => void): Promise<boolean> {
  const page = pageAt(path);
  if (!page) return true;
  const load = () => queryClient.ensureQueryData(pageQuery(page));
  return (await lateCode(load, { name: page, ...(loadAnew && { loadAnew }) })) !== undefined;
}
