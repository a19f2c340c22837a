import { sql } from 'kysely';
import type { MessageId } from '#contract/webhooks/deliveries.ts';
import type { WebhookId } from '#contract/webhooks.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { DAY_MS, fromNow, SECOND_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { PATIENCE_MS } from '#server/webhooks/deliveries/rules.ts';
import type { Outcome } from '#server/webhooks/requests/rules.ts';

/** Longer than a try can take, so that a living process keeps its deliveries. */
const LEASE_MS = 30 * SECOND_MS;
const AGE_MAX_MS = 30 * DAY_MS;
const SWEPT_AT_ONCE = 5000;

type World = Pick<Deps, 'sql' | 'clock'>;

export type Claimed = {
  readonly id: number;
  readonly attempts: number;
  readonly webhookId: WebhookId;
  readonly orgId: OrgId | null;
  readonly url: string;
  readonly messageId: string;
  readonly payload: object;
  readonly sealedSecret: Uint8Array;
  readonly formerSealedSecret: Uint8Array | null;
};

/**
 * Claims due deliveries for this process, from each lane only its oldest. It steps from lane to lane over the index,
 * so that the deliveries behind a dead receiver cost nothing. A webhook with fewer requests under way comes first, and
 * one that fails has one at a time. A lease that ran out belongs to a process that ended.
 */
export async function claimDue({ sql: database, clock }: World, limit: number): Promise<Claimed[]> {
  const now = clock.now();
  const { rows } = await sql<Claimed>`
    with recursive heads as (
      (select webhook_id, lane, id from webhook_deliveries where status = 'waiting'
        order by webhook_id, lane, id limit 1)
      union all
      select next.* from heads cross join lateral (
        select webhook_id, lane, id from webhook_deliveries
        where status = 'waiting' and (webhook_id, lane) > (heads.webhook_id, heads.lane)
        order by webhook_id, lane, id limit 1) as next
    ), placed as (
      select heads.id, webhooks.failing_since, row_number() over (
        partition by heads.webhook_id
        order by lease_until is null or lease_until <= ${now}, next_try_at, heads.id) as place
      from heads
        join webhook_deliveries using (id)
        join webhooks on webhooks.id = heads.webhook_id
      where webhooks.paused_at is null and webhooks.switched_off_at is null
    ), due as (
      select id from placed join webhook_deliveries as delivery using (id)
      where delivery.status = 'waiting' and next_try_at <= ${now}
        and (lease_until is null or lease_until <= ${now})
        and (failing_since is null or place = 1)
      order by place, next_try_at, id limit ${limit}
      for update of delivery skip locked
    )
    update webhook_deliveries set lease_until = ${fromNow(clock, LEASE_MS)}, attempts = attempts + 1
    from due, webhooks
    where webhook_deliveries.id = due.id and webhooks.id = webhook_deliveries.webhook_id
    returning webhook_deliveries.id, attempts, webhook_id as "webhookId", org_id as "orgId", url,
      message_id as "messageId", payload, sealed_secret as "sealedSecret",
      case when former_secret_ends_at > ${now} then former_sealed_secret end as "formerSealedSecret"`.execute(
    database,
  );
  return rows;
}

/** A claim counts an attempt, so a try that lost its lease to another one changes nothing any more. */
const updateTry = (database: Db, { id, attempts }: Claimed, { durationMs, ...outcome }: Outcome, now: Date) =>
  database
    .updateTable('webhook_deliveries')
    .set({
      lease_until: null,
      tried_at: now,
      status_code: outcome.statusCode,
      duration_ms: durationMs,
      response: outcome.response,
      error: outcome.error,
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts);

/** Marks a delivery as done and its webhook as healthy. */
export async function storeSuccess(
  { sql: database, clock }: World,
  delivery: Claimed,
  outcome: Outcome,
): Promise<void> {
  const now = clock.now();
  await updateTry(database, delivery, outcome, now).set({ status: 'delivered' }).execute();
  await database
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('id', '=', delivery.webhookId)
    .where('failing_since', 'is not', null)
    .execute();
}

type Failure = { readonly nextTryAt: Date; readonly isFinal: boolean };
/**
 * Schedules the next try or ends the delivery; returns since when every try of the webhook has failed. Locks the
 * webhook first, as each change of a webhook does.
 */
export async function storeFailure(
  tx: Tx,
  delivery: Claimed,
  outcome: Outcome,
  { nextTryAt, isFinal }: Failure,
  now: Date,
): Promise<Date | null> {
  const giveUpBefore = new Date(now.getTime() - PATIENCE_MS);
  await tx
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', delivery.webhookId)
    .forNoKeyUpdate()
    .execute();
  const { numUpdatedRows } = await updateTry(tx, delivery, outcome, now)
    .set({
      next_try_at: nextTryAt,
      first_failed_at: sql<Date>`coalesce(first_failed_at, ${now})`,
      status: isFinal
        ? 'failed'
        : sql<'failed'>`case when first_failed_at <= ${giveUpBefore} then 'failed' else 'waiting' end`,
    })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return null;
  const webhook = await tx
    .updateTable('webhooks')
    .set({ failing_since: sql<Date>`coalesce(failing_since, ${now})` })
    .where('id', '=', delivery.webhookId)
    .returning('failing_since')
    .executeTakeFirst();
  return webhook?.failing_since ?? null;
}

/** Switches a webhook off; undefined if it is off already. */
export const switchOff = (tx: Tx, id: WebhookId, now: Date) =>
  tx
    .updateTable('webhooks')
    .set({ switched_off_at: now })
    .where('id', '=', id)
    .where('switched_off_at', 'is', null)
    .returning(['id', 'org_id as orgId', 'url'])
    .executeTakeFirst();

export const findOrganization = (tx: Tx, id: OrgId) =>
  tx
    .selectFrom('organizations')
    .select(['name', 'url_name as urlName'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Releases deliveries, so that others need not wait for their leases. */
export async function releaseDeliveries({ sql: database }: World, deliveries: Iterable<Claimed>) {
  for (const { id, attempts } of deliveries)
    await database
      .updateTable('webhook_deliveries')
      .set({ lease_until: null })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .execute();
}

const selectDeliveries = (database: Db, webhookId: WebhookId) =>
  database
    .selectFrom('webhook_deliveries')
    .select(sql<MessageId>`'msg_' || message_id`.as('id'))
    .select(['event', 'status', 'created_at as createdTime', 'attempts as tries', 'tried_at as triedTime'])
    .select(sql<Date | null>`case when status = 'waiting' then next_try_at end`.as('nextTryTime'))
    .select(['status_code as statusCode', 'duration_ms as durationMs', 'response', 'error'])
    .where('webhook_id', '=', webhookId);

const uuidOf = (id: MessageId) => id.replace('msg_', '');

/** The deliveries of a webhook after the cursor, newest first. */
export const listDeliveries = (database: Db, webhookId: WebhookId, limit: number, after?: MessageId) =>
  selectDeliveries(database, webhookId)
    .$if(after !== undefined, (query) =>
      query.where(
        'webhook_deliveries.id',
        '<',
        sql<number>`(select id from webhook_deliveries where message_id = ${uuidOf(after as MessageId)}::uuid)`,
      ),
    )
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(limit)
    .execute();

export const findDelivery = (database: Db, webhookId: WebhookId, id: MessageId) =>
  selectDeliveries(database, webhookId).where('message_id', '=', uuidOf(id)).executeTakeFirst();

export const findWaitingTest = (database: Db, webhookId: WebhookId) =>
  selectDeliveries(database, webhookId)
    .where('event', '=', 'test')
    .where('status', '=', 'waiting')
    .executeTakeFirst();

export async function insertTest(tx: Tx, webhookId: WebhookId, orgId: OrgId | null, now: Date) {
  const { id } = await tx
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: webhookId,
      event: 'test',
      subject: 'test',
      lane: 0,
      payload: {
        type: 'test',
        timestamp: now.toISOString(),
        data: orgId === null ? {} : { org_id: orgId },
      },
      created_at: now,
      next_try_at: now,
    })
    .returning(sql<MessageId>`'msg_' || message_id`.as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

/** Makes a delivery due again, as if it were new. */
export const waitAgain = (tx: Tx, webhookId: WebhookId, id: MessageId, now: Date) =>
  tx
    .updateTable('webhook_deliveries')
    .set({ status: 'waiting', next_try_at: now, first_failed_at: null, attempts: 0 })
    .where('webhook_id', '=', webhookId)
    .where('message_id', '=', uuidOf(id))
    .execute();

/** Removes an erased person's data from events. Only the fact of the event remains. */
export const emptyEvents = (tx: Tx, userId: UserId) =>
  tx
    .updateTable('webhook_deliveries')
    .set({ payload: sql`jsonb_set(payload, '{data,changes}', '{}', false)`, response: null })
    .where('subject', '=', `user ${userId}`)
    .execute();

/** Deletes deliveries a month old, in batches, so that locks stay short. */
export async function sweepDeliveries({ sql: database, clock }: World): Promise<void> {
  for (let count = SWEPT_AT_ONCE; count === SWEPT_AT_ONCE;) {
    const { numDeletedRows } = await database
      .deleteFrom('webhook_deliveries')
      .where('id', 'in', (row) =>
        row
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('created_at', '<', fromNow(clock, -AGE_MAX_MS))
          .limit(SWEPT_AT_ONCE),
      )
      .executeTakeFirst();
    count = Number(numDeletedRows);
  }
}
