import type { webhookDeliveries } from '#contract/webhooks/deliveries.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { listDeliveriesOf, sendAgain, sendTest } from '#server/webhooks/deliveries/history.ts';

export const deliveryRoutes = (deps: Deps): Handlers<typeof webhookDeliveries> => ({
  listDeliveries: ({ input, scope }) => listDeliveriesOf(deps, scope, input),
  sendTest: ({ input, scope, caller }) => sendTest(deps, { ...caller, ...scope }, input.webhookId),
  sendAgain: ({ input, scope, caller }) => sendAgain(deps, { ...caller, ...scope }, input),
});
