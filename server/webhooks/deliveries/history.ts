import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import {
  DELIVERIES_PAGE_MAX,
  type MessageId,
  type webhookDeliveries,
} from '#contract/webhooks/deliveries.ts';
import type { WebhookId } from '#contract/webhooks/calls.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { type Actor, ownerOf, type SuperAdmin } from '#server/registry/registry.ts';
import { wakeAfterCommit } from '#server/waking.ts';
import { findDelivery, findWaitingTest, insertTest, listDeliveries, waitAgain } from './data.ts';
import { registry } from '#server/webhooks/endpoints/webhooks.ts';
import { findWebhook, type Webhook } from '#server/webhooks/endpoints/data.ts';

export async function listDeliveriesOf(
  deps: Deps,
  scope: Pick<SuperAdmin, 'orgId' | 'userId'>,
  { webhookId, after, limit = DELIVERIES_PAGE_MAX }: Input<typeof webhookDeliveries.listDeliveries>,
) {
  const refusal = await registry.refuseOthers(deps, scope);
  if (refusal) return refusal;
  const webhook = await findWebhook(deps.sql, scope.orgId, webhookId, deps.clock.now());
  if (!webhook) return refuse('webhook_not_found');
  // One more row says whether there is another page.
  const rows = await listDeliveries(deps.sql, webhookId, limit + 1, after);
  const deliveries = rows.slice(0, limit);
  return { deliveries, next: rows.length > limit ? (deliveries.at(-1)?.id ?? null) : null };
}

/** Queues a test event, unless one is waiting. */
export const sendTest = (deps: Deps, actor: Actor, webhookId: WebhookId) =>
  registry.actOn(deps, actor, webhookId, async (tx, entry) => {
    const waiting = await findWaitingTest(tx, webhookId);
    const id = waiting?.id ?? (await insertTest(tx, webhookId, ownerOf(actor), deps.clock.now()));
    return send(tx, entry, id, 'test');
  });

/** Sends a delivery again under the same id, so that receivers can recognize duplicates. */
export const sendAgain = (
  deps: Deps,
  superAdmin: SuperAdmin,
  { webhookId, id }: Input<typeof webhookDeliveries.sendAgain>,
) =>
  registry.actOn(deps, superAdmin, webhookId, async (tx, entry) => {
    const delivery = await findDelivery(tx, webhookId, id);
    if (!delivery) return refuse('not_found');
    await waitAgain(tx, webhookId, id, deps.clock.now());
    return send(tx, entry, id, delivery.event);
  });

async function send(tx: Tx, entry: Webhook, id: MessageId, event: string) {
  wakeAfterCommit(tx);
  const answer = await findDelivery(tx, entry.id, id);
  if (!answer) throw new Error('the delivery is gone');
  return { entry, action: 'update' as const, information: { sent: event }, answer };
}
