import type { webhooks } from '#contract/webhooks/calls.ts';
import type { webhookDeliveries } from '#contract/webhooks/deliveries.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { listDeliveriesOf, sendAgain, sendTest } from '#server/webhooks/deliveries/history.ts';
import { addWebhook, changeWebhook, listWebhooksOf, registry } from '#server/webhooks/endpoints/webhooks.ts';

export const webhookRoutes = (deps: Deps): Handlers<typeof webhooks> => ({
  list: ({ scope }) => listWebhooksOf(deps, scope),
  add: ({ input, scope, caller }) => addWebhook(deps, { ...caller, ...scope }, input),
  change: ({ input, scope, caller }) => changeWebhook(deps, { ...caller, ...scope }, input),
  remove: ({ input, scope, caller }) => registry.remove(deps, { ...caller, ...scope }, input.id, input.title),
  rotateSecret: ({ input, scope, caller }) => registry.rotateSecret(deps, { ...caller, ...scope }, input.id),
  pause: ({ input, scope, caller }) =>
    registry.pause(deps, { ...caller, ...scope }, input.id, input.isPaused),
});

export const deliveryRoutes = (deps: Deps): Handlers<typeof webhookDeliveries> => ({
  listDeliveries: ({ input, scope }) => listDeliveriesOf(deps, scope, input),
  sendTest: ({ input, scope, caller }) => sendTest(deps, { ...caller, ...scope }, input.webhookId),
  sendAgain: ({ input, scope, caller }) => sendAgain(deps, { ...caller, ...scope }, input),
});
