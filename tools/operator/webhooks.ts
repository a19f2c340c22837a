import * as z from 'zod/mini';
import { exactAddress } from '#contract/applications/registration.ts';
import { refuse } from '#contract/errors.ts';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/webhooks/calls.ts';
import type { ReadingDeps } from '#server/open.ts';
import { sendTest } from '#server/webhooks/deliveries/history.ts';
import { addWebhook, registry } from '#server/webhooks/endpoints/webhooks.ts';
import { listWebhooks, type Webhook } from '#server/webhooks/endpoints/data.ts';
import { by, commandOn, type Commands, listed, rotated, secretLines, unlessRefused } from './command.ts';
import { Plain } from './copies.ts';

const ADDRESS = '<address>';

function addressOf(text = ''): string {
  const result = z.safeParse(exactAddress, text);
  if (result.success) return result.data;
  throw new Plain(`${text}: ${result.error.issues[0]?.message}`);
}

const isEvent = (name: string): name is WebhookEvent => (WEBHOOK_EVENTS as readonly string[]).includes(name);

function eventsOf(names: readonly string[] = []): WebhookEvent[] {
  const unknown = names.find((name) => !isEvent(name));
  if (unknown !== undefined) throw new Plain(`--event ${unknown}: takes ${WEBHOOK_EVENTS.join(', ')}.`);
  return names.filter(isEvent);
}

const listSuite = ({ sql, clock }: ReadingDeps) => listWebhooks(sql, null, clock.now());

const stateOf = ({ isPaused, switchedOffTime, failingSince }: Webhook) => {
  if (switchedOffTime) return `switched off at ${switchedOffTime.toISOString()}`;
  if (isPaused) return 'paused';
  return failingSince ? `failing since ${failingSince.toISOString()}` : 'on';
};
const lineOf = (webhook: Webhook) =>
  `${webhook.url}  ${stateOf(webhook)}  ${webhook.events.join(', ') || 'all events'}`;

const onWebhook = commandOn({
  takes: ADDRESS,
  find: async (deps, url) => {
    const webhook = (await listSuite(deps)).find((one) => one.url === url);
    return webhook ?? unlessRefused(refuse('webhook_not_found'));
  },
  about: ({ url }) => [[], { url }],
});

/** Commands for the suite's webhooks, which receive events of every organization and of people's accounts. */
export const webhookCommands: Commands = {
  'webhooks add': {
    takes: [ADDRESS],
    accepts: ['event'],
    does: 'Announce events to a server of the suite; shows the secret that signs them',
    run: {
      changes: async (deps, [text], options) => {
        const settings = { url: addressOf(text), description: '', events: eventsOf(options.event) };
        const { secret } = unlessRefused(await addWebhook(deps, by, settings));
        return { lines: secretLines(secret), data: { url: settings.url, secret } };
      },
    },
  },
  'webhooks list': {
    does: 'List the webhooks of the suite',
    run: { looksUp: async (deps) => listed(await listSuite(deps), lineOf) },
  },
  'webhooks test': onWebhook(
    'Send a test event, which the portal delivers',
    (deps, { id }) => sendTest(deps, by, id),
    () => ['The portal delivers a test event.'],
  ),
  'webhooks rotate-secret': onWebhook(
    `Make a new secret; for ${SECRET_OVERLAP_HOURS} hours, both sign`,
    (deps, { id }) => registry.rotateSecret(deps, by, id),
    rotated('secret'),
  ),
  'webhooks pause': onWebhook(
    'Hold back the events of a webhook',
    (deps, { id }) => registry.pause(deps, by, id, true),
    () => ['Paused: its events wait.'],
  ),
  'webhooks resume': onWebhook(
    'Deliver the events of a webhook again, also after it was switched off',
    (deps, { id }) => registry.pause(deps, by, id, false),
    () => ['Its events are delivered again.'],
  ),
  'webhooks remove': onWebhook(
    'Remove a webhook with the events that wait for it',
    (deps, { id }) => registry.remove(deps, by, id),
    () => ['Removed.'],
  ),
};

export const webhookHelp = ['  --event <name>    an event to receive; may be repeated; default: all'];
