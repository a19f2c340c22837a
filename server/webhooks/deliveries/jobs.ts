import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { WebhookId } from '#contract/webhooks/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { fromNow, SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { type JobHandlers, Later } from '#server/jobs/jobs.ts';
import { type Limits, receiverOf, turnsOf } from '#server/jobs/rules.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { tellSuperAdmins } from '#server/members/super-admin-news/actions.ts';
import { findMessage, findOrganization, listTurns, storeFailure, storeSuccess, switchOff } from './data.ts';
import { switchedOffOfSuiteMail, switchedOffWords } from './mail.ts';
import { isGone, PATIENCE_MS, waitMs } from './rules.ts';
import { LANES } from '#server/webhooks/events/rules.ts';
import { sendMessage } from '#server/webhooks/requests/send.ts';

/** A database trigger writes a job for each delivery, in the lane `webhook 12.3`. */
export const deliveryJobs: JobHandlers = {
  webhook: {
    slots: 64,
    // Longer than a try can take.
    limitMs: 15 * SECOND_MS,
    isHarmless: true,
    turns: { isOrdered: true, limitsOf },
    run: deliver,
  },
};

/** A webhook that fails gets one request at a time. */
async function limitsOf(deps: Deps, lanes: readonly string[]): Promise<ReadonlyMap<string, Limits>> {
  const idOf = (lane: string) => Number(receiverOf(lane).replace('webhook ', '')) as WebhookId;
  const webhooks = new Map(
    (await listTurns(deps.sql, [...new Set(lanes.map(idOf))])).map((one) => [one.id, one]),
  );
  return new Map(
    lanes.map((lane) => {
      const webhook = webhooks.get(idOf(lane));
      if (!webhook) return [lane, {}];
      const each = webhook.isHeld ? 0 : webhook.isFailing ? 1 : LANES;
      return [lane, { [receiverOf(lane)]: each, ...turnsOf(webhook) }];
    }),
  );
}

async function deliver(deps: Deps, { delivery }: { readonly delivery: number }): Promise<void> {
  const message = await findMessage(deps, delivery);
  if (!message) return;
  const { retryAfterMs, ...outcome } = await sendMessage(deps, message);
  if (outcome.error === null) return storeSuccess(deps, message, outcome);
  const reason = outcome.error;
  const ms = waitMs(message.attempts + 1, retryAfterMs);
  const isFinal = isGone(outcome.statusCode);
  const isWaiting = await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const nextTryAt = fromNow(deps.clock, ms);
    const failure = await storeFailure(tx, message, outcome, { nextTryAt, isFinal }, now);
    if (!failure) return false;
    const isTooLong = now.getTime() - failure.failingSince.getTime() >= PATIENCE_MS;
    if (isFinal || isTooLong) await giveUp(tx, deps, message.webhookId, reason);
    return failure.isWaiting;
  });
  if (isWaiting) throw new Later(reason, ms);
}

async function giveUp(tx: Tx, deps: Deps, id: WebhookId, reason: string): Promise<void> {
  const webhook = await switchOff(tx, id, deps.clock.now());
  if (!webhook) return;
  deps.log.error({ webhook: id, reason }, 'a webhook was switched off');
  const { orgId, url: address } = webhook;
  if (orgId === null) {
    const { supportEmail: to } = deps.config;
    if (to)
      await queueMail(tx, deps, { userId: null, to, content: switchedOffOfSuiteMail({ address, reason }) });
    return;
  }
  const organization = await findOrganization(tx, orgId);
  if (!organization) return;
  await recordActivity(tx, deps, 'organization.webhook.update', {
    orgId,
    userId: OPERATOR_ID as UserId,
    recordId: id,
    information: { webhook: address, switched_off: [false, true], reason },
  });
  const words = switchedOffWords({ organization: organization.name, address, reason });
  const news = { kind: 'webhook.switchedOff', words };
  const page = `organization/webhooks/${id}` as const;
  await tellSuperAdmins(tx, deps, { orgId, urlName: organization.urlName }, news, page);
}
