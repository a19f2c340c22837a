import { webhooksText as text } from '#contract/text/webhooks.ts';
import { fill } from '#contract/text.ts';
import { type Webhook, webhooks } from '#contract/webhooks/calls.ts';
import type { Registry } from '#web/registry/registry.ts';

/** Whether nothing is sent to the webhook. */
export const isOff = ({ isPaused, switchedOffTime }: Webhook) => isPaused || switchedOffTime !== null;

export const registry: Registry<Webhook> = {
  ...webhooks,
  path: 'webhooks',
  act: 'manageWebhooks',
  text,
  nameOf: ({ url }) => url,
  isOff,
  stateOf: ({ isPaused, switchedOffTime, failingSince }) => {
    if (switchedOffTime) return { tone: 'bad', children: text.switchedOff };
    if (isPaused) return { tone: 'warn', children: text.paused };
    return failingSince ? { tone: 'bad', children: text.failing } : { tone: 'good', children: text.active };
  },
  troubleOf: ({ isPaused, switchedOffTime, failingSince }, momentWithin) => {
    if (switchedOffTime)
      return { kind: 'danger', words: fill(text.offSince, { time: momentWithin(switchedOffTime) }) };
    if (failingSince && !isPaused)
      return { kind: 'warning', words: fill(text.failingSince, { time: momentWithin(failingSince) }) };
    return undefined;
  },
};
