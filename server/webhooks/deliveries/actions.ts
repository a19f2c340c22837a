import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import type { WebhookId } from '#contract/webhooks/calls.ts';
import {
  DELIVERIES_PAGE_MAX,
  type MessageId,
  type webhookDeliveries,
} from '#contract/webhooks/deliveries.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { wakeAfterCommit } from '#server/waking.ts';
import {
  findDelivery,
  findWaitingTest,
  insertTest,
  listDeliveries,
  waitAgain,
} from '#server/webhooks/deliveries/data.ts';
import {
  changing,
  type Person,
  record,
  refuseOthers,
  type Scope,
} from '#server/webhooks/endpoints/actions.ts';
import { findWebhook } from '#server/webhooks/endpoints/data.ts';

/** One page of the deliveries of a webhook, newest first. */
export async function listDeliveriesOf(
  deps: Deps,
  scope: Scope,
  { webhookId, after, limit = DELIVERIES_PAGE_MAX }: Input<typeof webhookDeliveries.listDeliveries>,
) {
  const refusal = await refuseOthers(deps, scope);
  if (refusal) return refusal;
  const webhook = await findWebhook(deps.sql, scope.orgId, webhookId, deps.clock.now());
  if (!webhook) return refuse('webhook_not_found');
  // One more row says whether there is another page.
  const rows = await listDeliveries(deps.sql, webhookId, limit + 1, after);
  const deliveries = rows.slice(0, limit);
  return { deliveries, next: rows.length > limit ? (deliveries.at(-1)?.id ?? null) : null };
}

/** Queues a test event, unless one is waiting. */
export const sendTest = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { webhookId }: Input<typeof webhookDeliveries.sendTest>,
) =>
  changing(deps, scope, person, webhookId, async (tx, webhook) => {
    const waiting = await findWaitingTest(tx, webhookId);
    const id = waiting?.id ?? (await insertTest(tx, webhookId, scope.orgId, deps.clock.now()));
    await record(tx, deps, scope, webhook, 'update', { sent: 'test' });
    wakeAfterCommit(tx);
    return getDelivery(tx, webhookId, id);
  });

/** Sends a delivery again under the same id, so that receivers can recognize duplicates. */
export const sendAgain = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { webhookId, id }: Input<typeof webhookDeliveries.sendAgain>,
) =>
  changing(deps, scope, person, webhookId, async (tx, webhook) => {
    const delivery = await findDelivery(tx, webhookId, id);
    if (!delivery) return refuse('not_found');
    await waitAgain(tx, webhookId, id, deps.clock.now());
    await record(tx, deps, scope, webhook, 'update', { sent: delivery.event });
    wakeAfterCommit(tx);
    return getDelivery(tx, webhookId, id);
  });

async function getDelivery(tx: Tx, webhookId: WebhookId, id: MessageId) {
  const delivery = await findDelivery(tx, webhookId, id);
  if (!delivery) throw new Error('the delivery is gone');
  return delivery;
}
