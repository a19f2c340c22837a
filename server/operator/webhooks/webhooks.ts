import { Refusal } from '#contract/errors.ts';
import { listed } from '#server/operator/lines.ts';
import { listSuite } from '#server/operator/subjects.ts';
import type { Changes, Looks, Work } from '#server/operator/work.ts';
import { sendTest } from '#server/webhooks/deliveries/history.ts';
import type { Webhook } from '#server/webhooks/endpoints/data.ts';
import { addWebhook, registry } from '#server/webhooks/endpoints/webhooks.ts';

const stateOf = ({ isPaused, switchedOffTime, failingSince }: Webhook) => {
  if (switchedOffTime) return `switched off at ${switchedOffTime.toISOString()}`;
  if (isPaused) return 'paused';
  return failingSince ? `failing since ${failingSince.toISOString()}` : 'on';
};

const pause = (isPaused: boolean) => (work: Work<Webhook>) =>
  registry.pause(work.deps, work, work.on.id, isPaused);

/** The suite's webhooks receive events of every organization and of people's accounts. */
export const webhookChanges = {
  'webhooks add': async (work, { url, event: events = [] }) => {
    const added = await addWebhook(work.deps, work, { url, description: '', events });
    return added instanceof Refusal ? added : { url, secret: added.secret };
  },
  'webhooks test': (work) => sendTest(work.deps, work, work.on.id),
  'webhooks rotate-secret': async (work) => {
    const result = await registry.rotateSecret(work.deps, work, work.on.id);
    if (result instanceof Refusal) return result;
    return { secret: result.secret, former_secret_ends: result.formerEnd };
  },
  'webhooks pause': pause(true),
  'webhooks resume': pause(false),
  'webhooks remove': (work) => registry.remove(work.deps, work, work.on.id),
} satisfies Partial<Changes>;

export const webhookLooks = {
  'webhooks list': async (deps) =>
    listed(
      await listSuite(deps),
      (webhook) => `${webhook.url}  ${stateOf(webhook)}  ${webhook.events.join(', ') || 'all events'}`,
    ),
} satisfies Partial<Looks>;
