import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { type Webhook, webhooks } from '#contract/webhooks/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

export const webhooksQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['webhooks', orgId],
    queryFn: () => call(webhooks.list, { orgId }),
  });

/** Whether nothing is sent to the webhook. */
export const isOff = ({ isPaused, switchedOffTime }: Webhook) => isPaused || switchedOffTime !== null;

/** Shows a change of a webhook at once, then refetches the list. */
export function useWebhooksChanged(orgId: OrgId) {
  const client = useQueryClient();
  return async (changed?: Webhook) => {
    if (changed)
      client.setQueryData(webhooksQuery(orgId).queryKey, (list) =>
        list?.map((one) => (one.id === changed.id ? changed : one)),
      );
    await client.invalidateQueries(webhooksQuery(orgId));
  };
}
