import { counted } from '#contract/operator/act.ts';
import { randomUUID } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import type { Deps } from '#server/deps.ts';
import { listed } from '#server/operator/lines.ts';
import { listSuite } from '#server/operator/subjects.ts';
import type { Changes, Looks, Shown, Work } from '#server/operator/work.ts';
import { getSecrets, listStandings } from './data.ts';
import type { Webhook } from '#server/webhooks/endpoints/data.ts';
import { addWebhook, registry } from '#server/webhooks/endpoints/webhooks.ts';
import { sendMessage } from '#server/webhooks/requests/send.ts';

const stateOf = ({ isPaused, switchedOffTime, failingSince }: Webhook) => {
  if (switchedOffTime) return `switched off at ${switchedOffTime.toISOString()}`;
  if (isPaused) return 'paused';
  return failingSince ? `failing since ${failingSince.toISOString()}` : 'on';
};

/** Sends at once and stores nothing, so that the answer is known. */
export async function sendTestEvent(deps: Deps, _input: object, { id, url }: Webhook): Promise<Shown> {
  const { sealedSecret, formerSealedSecret } = await getSecrets(deps.sql, id);
  const payload = { type: 'test', timestamp: deps.clock.now().toISOString(), data: {} };
  const message = { orgId: null, url, messageId: randomUUID(), payload, sealedSecret, formerSealedSecret };
  const { statusCode, durationMs, error } = await sendMessage(deps, message);
  const words = error === null ? `It answered with ${statusCode} after ${durationMs} ms.` : `It ${error}.`;
  return { lines: [words], data: { url, status_code: statusCode, error }, isFailure: error !== null };
}

const pause = (isPaused: boolean) => (work: Work<Webhook>) =>
  registry.pause(work.deps, work, work.on.id, isPaused);

/** The suite's webhooks receive events of every organization and of people's accounts. */
export const webhookChanges = {
  'webhooks add': async (work, { url, event: events = [] }) => {
    const added = await addWebhook(work.deps, work, { url, description: '', events });
    return added instanceof Refusal ? added : { url, secret: added.secret };
  },
  'webhooks test': async ({ on, record }) => {
    await record(on.id, { webhook: on.url, sent: 'test' });
    return {};
  },
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
  'webhooks list': async (deps) => {
    const standings = new Map((await listStandings(deps.sql)).map((one) => [one.id, one]));
    const webhooks = (await listSuite(deps)).map((webhook) => ({
      ...webhook,
      waiting: standings.get(webhook.id)?.waiting ?? 0,
      reason: standings.get(webhook.id)?.reason ?? null,
    }));
    return listed(webhooks, (webhook) =>
      [
        webhook.url,
        stateOf(webhook),
        webhook.events.join(', ') || 'all events',
        ...(webhook.waiting > 0 ? [counted(webhook.waiting, 'event waits', 'events wait')] : []),
        ...(webhook.reason === null ? [] : [webhook.reason]),
      ].join('  '),
    );
  },
} satisfies Partial<Looks>;
