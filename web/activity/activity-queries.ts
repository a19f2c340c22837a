import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { activity, type Place } from '#contract/activity.ts';
import type { Input, Output } from '#contract/endpoint.ts';
import { members } from '#contract/members.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import type { ActivityFilter } from './activity-filter.ts';
import { rangeOf } from './activity-filter.ts';

export type Page = Output<typeof activity.list>;
export type View = { readonly orgId: OrgId; readonly zone: string | null; readonly isAdmin: boolean };

const PAGE_ROWS = 100;
const PEOPLE_SHOWN = 20;

/** What a filter asks of the server, from a list or as a file. */
export function askedOf({ orgId, zone, isAdmin }: View, filter: ActivityFilter, now: Date) {
  const { isMine, module, type, action, userId } = filter;
  return {
    orgId,
    scope: isAdmin && !isMine ? 'organization' : 'mine',
    ...(module && { module }),
    ...(type && { activityType: type }),
    ...(action && { action }),
    ...(userId && isAdmin && !isMine && { userId }),
    ...rangeOf(filter, zone, now),
  } satisfies Input<typeof activity.list>;
}

/** The rows that a filter leaves, newest first and page by page. */
export const activityQuery = (view: View, filter: ActivityFilter, now: Date) =>
  infiniteQueryOptions({
    queryKey: ['activity', view.orgId, filter, now],
    queryFn: ({ pageParam: after }) =>
      call(activity.list, { ...askedOf(view, filter, now), limit: PAGE_ROWS, ...(after && { after }) }),
    initialPageParam: undefined as Place | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Many pages are one list: by itself none of them is fetched again, and a list one comes back to begins anew.
    staleTime: Infinity,
    gcTime: 0,
  });

/** The first members whose name or address begins so. */
export const peopleQuery = (orgId: OrgId, search: string) =>
  queryOptions({
    queryKey: ['activity', 'people', orgId, search],
    queryFn: async () => {
      const found = await call(members.list, {
        orgId,
        sort: 'name',
        limit: PEOPLE_SHOWN,
        ...(search && { search }),
      });
      return found.members;
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
