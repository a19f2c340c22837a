import { setTimeout as pause } from 'node:timers/promises';
import { ACTION, ACTIVITY_TYPE, MODULE, OPERATOR_ID } from '#contract/activity.ts';
import type { WebhookId } from '#contract/webhooks.ts';
import type { UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { fromNow, SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { openSlots } from '#server/jobs/slots.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { listSuperAdminAddresses } from '#server/members/standing/data.ts';
import { jobCommits, waitForJob } from '#server/waking.ts';
import {
  claimDue,
  type Claimed,
  findOrganization,
  releaseDeliveries,
  storeFailure,
  storeSuccess,
  switchOff,
} from '#server/webhooks/deliveries/data.ts';
import { switchedOffMail, switchedOffOfSuiteMail } from '#server/webhooks/deliveries/mail.ts';
import { isGone, PATIENCE_MS, waitMs } from '#server/webhooks/deliveries/rules.ts';
import { sendMessage } from '#server/webhooks/requests/actions.ts';

/** A slow receiver takes at most as many slots as it has lanes. */
const AT_ONCE = 32;

/** Tries a delivery and stores the outcome. */
async function deliver(deps: Deps, delivery: Claimed): Promise<void> {
  const { retryAfterMs, ...outcome } = await sendMessage(deps, delivery);
  if (outcome.error === null) return storeSuccess(deps, delivery, outcome);
  const nextTryAt = fromNow(deps.clock, waitMs(delivery.attempts, retryAfterMs));
  const isFinal = isGone(outcome.statusCode);
  await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const failingSince = await storeFailure(tx, delivery, outcome, { nextTryAt, isFinal }, now);
    if (!failingSince) return;
    const isTooLong = now.getTime() - failingSince.getTime() >= PATIENCE_MS;
    if (isFinal || isTooLong) await giveUp(tx, deps, delivery.webhookId, outcome.error ?? '');
  });
}

/** Switches a webhook off and notifies the organization's Super Admins, or the operator. */
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
  await recordActivity(tx, deps, {
    orgId,
    userId: OPERATOR_ID as UserId,
    module: MODULE.organization,
    type: ACTIVITY_TYPE.webhook,
    action: ACTION.update,
    recordId: id,
    information: { webhook: address, switched_off: [false, true], reason },
  });
  const url = new URL(`/${organization.urlName}/organization/webhooks`, deps.config.publicUrl).href;
  const content = switchedOffMail({ organization: organization.name, address, reason }, url);
  for (const { userId, email } of await listSuperAdminAddresses(tx, orgId))
    await queueMail(tx, deps, { userId, to: email, content });
}

/** Delivers what is due and returns after the last one. For tests and the operator's commands. */
export async function deliverDue(deps: Deps): Promise<void> {
  for (;;) {
    const due = await claimDue(deps, AT_ONCE);
    if (due.length === 0) return;
    await Promise.all(due.map((delivery) => deliver(deps, delivery)));
  }
}

/** Delivers events until the returned function is called, which releases unfinished deliveries after `graceMs`. */
export function startWebhooks(deps: Deps, pollMs = SECOND_MS / 2): (graceMs?: number) => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const running = new Set<Claimed>();
  const onFault = (error: unknown) =>
    deps.log.warn({ reason: reasonOf(error) }, 'webhooks wait for the next round');
  const slots = openSlots({
    atOnce: AT_ONCE,
    claim: (limit) => claimDue(deps, limit),
    work: async (delivery) => {
      running.add(delivery);
      await deliver(deps, delivery).finally(() => running.delete(delivery));
    },
    onFault,
    signal,
  });
  const loop = async () => {
    while (!signal.aborted) {
      const commits = jobCommits();
      await slots.fill();
      await waitForJob(pollMs, commits, signal);
    }
    await slots.drain();
  };
  const ended = loop();
  return async (graceMs = 5 * SECOND_MS) => {
    stop.abort();
    const finished = new AbortController();
    await Promise.race([
      ended.then(() => finished.abort()),
      pause(graceMs, undefined, { signal: finished.signal }).catch(() => undefined),
    ]);
    await releaseDeliveries(deps, running).catch(onFault);
  };
}
