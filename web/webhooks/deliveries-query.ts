import { infiniteQueryOptions } from '@tanstack/react-query';
import { type Delivery, type MessageId, webhookDeliveries } from '#contract/webhooks/deliveries.ts';
import type { Webhook } from '#contract/webhooks/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import { isOff } from './webhooks.ts';

const PAGE_ROWS = 20;
const REFETCH_MS = 2000;
const SOON_MS = 60_000;

const isTriedSoon = ({ nextTryTime }: Delivery) =>
  nextTryTime !== null && nextTryTime.getTime() < Date.now() + SOON_MS;

/** The deliveries of a webhook, newest first, in pages. Refetched while one is about to be tried. */
export const deliveriesQuery = (orgId: OrgId, webhook: Webhook) =>
  infiniteQueryOptions({
    queryKey: ['webhook deliveries', orgId, webhook.id],
    queryFn: ({ pageParam: after }) =>
      call(webhookDeliveries.listDeliveries, {
        orgId,
        webhookId: webhook.id,
        limit: PAGE_ROWS,
        ...(after && { after }),
      }),
    initialPageParam: null as MessageId | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) =>
      !isOff(webhook) && state.data?.pages.some(({ deliveries }) => deliveries.some(isTriedSoon)) === true
        ? REFETCH_MS
        : false,
    gcTime: 0,
  });
