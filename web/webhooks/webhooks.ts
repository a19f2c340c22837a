import { webhooksText } from '#contract/text/webhooks.ts';
import { type Webhook, webhooks } from '#contract/webhooks/calls.ts';
import type { Registry } from '#web/registry/registry.ts';

/** Whether nothing is sent to the webhook. */
export const isOff = ({ isPaused, switchedOffTime }: Webhook) => isPaused || switchedOffTime !== null;

export const registry: Registry<Webhook> = {
  ...webhooks,
  text: webhooksText,
  nameOf: ({ url }) => url,
  isOff,
};
