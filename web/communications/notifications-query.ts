import { infiniteQueryOptions } from '@tanstack/react-query';
import { communications, type NotificationId } from '#contract/communications/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

export const notificationsQuery = (orgId: OrgId) =>
  infiniteQueryOptions({
    queryKey: ['notifications', orgId],
    queryFn: ({ pageParam: after }) => call(communications.notifications, { orgId, ...(after && { after }) }),
    initialPageParam: null as NotificationId | null,
    getNextPageParam: ({ next }) => next,
    refetchOnWindowFocus: true,
  });
