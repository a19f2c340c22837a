import { focusManager, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { members } from '#contract/members/calls.ts';
import { call, CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { showChanged } from '#web/lib/show-changed.ts';
import { lateCode } from '#web/ui/late.tsx';
import { noEntryCodes } from './landing.ts';
import { pageAt, pageOf } from './pages.ts';
import { openSession, refreshSession, type Session } from './session.ts';

/** Refusals that show that session or rights have changed elsewhere. */
const endedCodes = new Set([
  'not_signed_in',
  'signed_in_as_another',
  'not_allowed',
  'org_not_found',
  ...noEntryCodes,
]);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Reads react to an ended session as writes do. Before the area has opened, `openSession` handles it.
    onError: (failure) => {
      const ends = failure instanceof CallError && endedCodes.has(failure.code);
      if (ends && sessionNow()) present(failure);
    },
  }),
  defaultOptions: {
    // Offline, a paused query would look like an endless load. A failed one offers a retry.
    queries: { networkMode: 'always', retry: false },
  },
});

// By default the library notices only another tab, not another window.
focusManager.setEventListener((onFocus) => {
  const stop = new AbortController();
  for (const kind of ['visibilitychange', 'focus'])
    addEventListener(kind, () => onFocus(), { signal: stop.signal });
  return () => stop.abort();
});

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => {
    const session = queryClient.getQueryData<Session>(['session']);
    return session ? refreshSession(session) : openSession(location.pathname);
  },
  staleTime: Infinity,
  // Rights may have changed elsewhere, or the person may have confirmed their address in another tab.
  refetchOnWindowFocus: 'always',
});

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => call(members.invitations, {}),
  refetchOnWindowFocus: true,
});

export const sessionNow = () => queryClient.getQueryData<Session>(sessionQuery.queryKey);

const showChangedOf =
  <Part extends 'user' | 'current'>(part: Part) =>
  (changed: Partial<Session[Part]>) =>
    showChanged<Session>(queryClient, sessionQuery.queryKey, {
      [part]: { ...sessionNow()?.[part], ...changed },
    });
export const showChangedUser = showChangedOf('user');
export const showChangedOrganization = showChangedOf('current');

/** Loads the code of the page at a path, if there is one. If loading fails, shows an alert and returns false. */
export async function loadPageAt(path: string, loadAnew?: () => void): Promise<boolean> {
  const page = pageAt(path);
  if (!page) return true;
  const { preload } = pageOf(page).Page;
  // As a query, because the loader bar shows while it runs.
  return queryClient.fetchQuery({
    queryKey: ['page', page],
    queryFn: async () => (await lateCode(preload, loadAnew)) !== undefined,
  });
}
