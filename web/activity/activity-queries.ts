import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { activity, type ActivityCursor } from '#contract/activity/calls.ts';
import type { Input, Output } from '#contract/endpoint.ts';
import { members } from '#contract/members/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import { type ActivityFilter, rangeOf } from './activity-filter.ts';

export type Page = Output<typeof activity.list>;
export type View = { readonly orgId: OrgId; readonly zone: string | null; readonly isAdmin: boolean };

const PAGE_ROWS = 100;
const PEOPLE_SHOWN = 20;

export function listInput({ orgId, zone, isAdmin }: View, filter: ActivityFilter, now: Date) {
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

export const activityQuery = (view: View, filter: ActivityFilter, now: Date) =>
  infiniteQueryOptions({
    queryKey: ['activity', view.orgId, filter, now],
    queryFn: ({ pageParam: after }) =>
      call(activity.list, { ...listInput(view, filter, now), limit: PAGE_ROWS, ...(after && { after }) }),
    initialPageParam: undefined as ActivityCursor | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // The pages form one list, so no page is refetched alone. Leaving the list drops all of them.
    staleTime: Infinity,
    gcTime: 0,
  });

export const peopleQuery = (orgId: OrgId, search: string) =>
  queryOptions({
    queryKey: ['activity', 'people', orgId, search],
    queryFn: async () => {
      const page = await call(members.list, {
        orgId,
        sort: 'name',
        limit: PEOPLE_SHOWN,
        ...(search && { search }),
      });
      return page.members;
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
