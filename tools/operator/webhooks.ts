import * as z from 'zod/mini';
import { exactAddress } from '#contract/applications/registration.ts';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/webhooks/calls.ts';
import type { Deps } from '#server/deps.ts';
import {
  addSuiteWebhook,
  pauseSuiteWebhook,
  removeSuiteWebhook,
  rotateSuiteSecret,
  testSuiteWebhook,
} from '#server/operator/webhooks/actions.ts';
import { listWebhooks, type Webhook } from '#server/webhooks/endpoints/data.ts';
import { by, type Command, type Commands, listed, secretLines, unlessRefused } from './command.ts';
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

const stateOf = ({ isPaused, switchedOffTime, failingSince }: Webhook) => {
  if (switchedOffTime) return `switched off at ${switchedOffTime.toISOString()}`;
  if (isPaused) return 'paused';
  return failingSince ? `failing since ${failingSince.toISOString()}` : 'on';
};
const lineOf = (webhook: Webhook) =>
  `${webhook.url}  ${stateOf(webhook)}  ${webhook.events.join(', ') || 'all events'}`;

/** A command on one webhook that only says what it did. */
const onWebhook = (
  act: (deps: Deps, url: string) => ReturnType<typeof testSuiteWebhook>,
  line: string,
): Command['run'] => ({
  changes: async (deps, [url = '']) => {
    unlessRefused(await act(deps, url));
    return { lines: [line], data: { url } };
  },
});

/** Commands for the suite's webhooks, which receive events of every organization and of people's accounts. */
export const webhookCommands: Commands = {
  'webhooks add': {
    takes: [ADDRESS],
    accepts: ['event'],
    does: 'Announce events to a server of the suite; shows the secret that signs them',
    run: {
      changes: async (deps, [text], options) => {
        const url = addressOf(text);
        const { secret } = unlessRefused(await addSuiteWebhook(deps, by, url, eventsOf(options.event)));
        return { lines: secretLines(secret), data: { url, secret } };
      },
    },
  },
  'webhooks list': {
    takes: [],
    does: 'List the webhooks of the suite',
    run: {
      looksUp: async ({ sql, clock }) => listed(await listWebhooks(sql, null, clock.now()), lineOf),
    },
  },
  'webhooks test': {
    takes: [ADDRESS],
    does: 'Send a test event, which the portal delivers',
    run: onWebhook((deps, url) => testSuiteWebhook(deps, by, url), 'The portal delivers a test event.'),
  },
  'webhooks rotate-secret': {
    takes: [ADDRESS],
    does: `Make a new secret; for ${SECRET_OVERLAP_HOURS} hours, both sign`,
    run: {
      changes: async (deps, [url = '']) => {
        const { secret, formerEnd } = unlessRefused(await rotateSuiteSecret(deps, by, url));
        return {
          lines: [...secretLines(secret), `The former secret ends at ${formerEnd.toISOString()}.`],
          data: { url, secret, former_secret_ends: formerEnd },
        };
      },
    },
  },
  'webhooks pause': {
    takes: [ADDRESS],
    does: 'Hold back the events of a webhook',
    run: onWebhook((deps, url) => pauseSuiteWebhook(deps, by, url, true), 'Paused: its events wait.'),
  },
  'webhooks resume': {
    takes: [ADDRESS],
    does: 'Deliver the events of a webhook again, also after it was switched off',
    run: onWebhook((deps, url) => pauseSuiteWebhook(deps, by, url, false), 'Its events are delivered again.'),
  },
  'webhooks remove': {
    takes: [ADDRESS],
    does: 'Remove a webhook with the events that wait for it',
    run: onWebhook((deps, url) => removeSuiteWebhook(deps, by, url), 'Removed.'),
  },
};

/** The lines of `--help` about the settings of a webhook. */
export const webhookHelp = ['  --event <name>    an event to receive; may be repeated; default: all'];
