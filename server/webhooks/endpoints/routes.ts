import type { webhooks } from '#contract/webhooks/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import {
  addWebhook,
  changeWebhook,
  listWebhooksOf,
  pauseWebhook,
  removeWebhook,
  rotateSecret,
} from '#server/webhooks/endpoints/actions.ts';

export const webhookRoutes = (deps: Deps): Handlers<typeof webhooks> => ({
  list: ({ scope }) => listWebhooksOf(deps, scope),
  add: ({ input, scope, caller }) => addWebhook(deps, scope, caller, input),
  change: ({ input, scope, caller }) => changeWebhook(deps, scope, caller, input),
  remove: ({ input, scope, caller }) => removeWebhook(deps, scope, caller, input),
  rotateSecret: ({ input, scope, caller }) => rotateSecret(deps, scope, caller, input),
  pause: ({ input, scope, caller }) => pauseWebhook(deps, scope, caller, input),
});
