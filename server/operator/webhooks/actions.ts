import { refuse } from '#contract/errors.ts';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { refusalText } from '#contract/text/refusals.ts';
import type { WebhookEvent } from '#contract/webhooks/calls.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { type Operator, recordAct } from '#server/operator/actions.ts';
import { lockSuiteWebhook } from '#server/operator/webhooks/data.ts';
import { findWaitingTest, insertTest } from '#server/webhooks/deliveries/data.ts';
import { newSecret } from '#server/webhooks/endpoints/actions.ts';
import {
  deleteWebhook,
  findWebhook,
  forgetFailures,
  insertWebhook,
  replaceSecret,
  setPaused,
  type Webhook,
} from '#server/webhooks/endpoints/data.ts';

const record = (
  tx: Tx,
  deps: Deps,
  by: Operator,
  { id, url }: Pick<Webhook, 'id' | 'url'>,
  action: 'create' | 'update' | 'change' | 'delete',
  information: Record<string, unknown>,
) => recordAct(tx, deps, by, `operator.webhook.${action}`, id, { webhook: url, ...information });

/** Adds a webhook of the suite, which receives events of every organization and of people's accounts. */
export const addSuiteWebhook = (deps: Deps, by: Operator, url: string, events: readonly WebhookEvent[]) =>
  transaction(deps.sql, async (tx) => {
    const createdAt = deps.clock.now();
    if (await lockSuiteWebhook(tx, url)) return refuse('not_allowed', { details: refusalText.webhookTaken });
    const { secret, sealed } = newSecret(deps);
    const settings = { url, description: '', events };
    const id = await insertWebhook(tx, {
      ...settings,
      orgId: null,
      sealedSecret: sealed,
      createdBy: null,
      createdAt,
    });
    await record(tx, deps, by, { id, url }, 'create', {
      url: [null, url],
      events: [null, events.join(', ')],
    });
    return { secret };
  });

/** Makes a new secret. For a day, both secrets sign. */
export const rotateSuiteSecret = (deps: Deps, by: Operator, url: string) =>
  withWebhook(deps, url, async (tx, webhook) => {
    const formerEnd = fromNow(deps.clock, SECRET_OVERLAP_HOURS * HOUR_MS);
    const { secret, sealed } = newSecret(deps);
    await replaceSecret(tx, webhook.id, sealed, formerEnd);
    await record(tx, deps, by, webhook, 'change', { former_secret_ends: [null, formerEnd] });
    return { secret, formerEnd };
  });

/** Pauses a webhook or resumes it, also one that was switched off. */
export const pauseSuiteWebhook = (deps: Deps, by: Operator, url: string, isPaused: boolean) =>
  withWebhook(deps, url, async (tx, webhook) => {
    const isOff = webhook.isPaused || webhook.switchedOffTime !== null;
    if (isPaused ? webhook.isPaused : !isOff) return refuse('no_changes');
    const now = deps.clock.now();
    await setPaused(tx, webhook.id, isPaused ? now : null);
    if (!isPaused) await forgetFailures(tx, webhook.id, now);
    await record(tx, deps, by, webhook, 'update', { paused: [!isPaused, isPaused] });
    return {};
  });

/** Queues a test event, unless one is waiting; the portal delivers it. */
export const testSuiteWebhook = (deps: Deps, by: Operator, url: string) =>
  withWebhook(deps, url, async (tx, webhook) => {
    if (!(await findWaitingTest(tx, webhook.id))) await insertTest(tx, webhook.id, null, deps.clock.now());
    await record(tx, deps, by, webhook, 'update', { sent: 'test' });
    return {};
  });

/** Removes a webhook with its waiting deliveries. */
export const removeSuiteWebhook = (deps: Deps, by: Operator, url: string) =>
  withWebhook(deps, url, async (tx, webhook) => {
    await deleteWebhook(tx, webhook.id);
    await record(tx, deps, by, webhook, 'delete', { url: [url, null] });
    return {};
  });

const withWebhook = <T>(deps: Deps, url: string, act: (tx: Tx, webhook: Webhook) => Promise<T>) =>
  transaction(deps.sql, async (tx) => {
    const locked = await lockSuiteWebhook(tx, url);
    const webhook = locked && (await findWebhook(tx, null, locked.id, deps.clock.now()));
    return webhook ? act(tx, webhook) : refuse('webhook_not_found');
  });
