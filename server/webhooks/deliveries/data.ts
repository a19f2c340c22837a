import { sql } from 'kysely';
import type { MessageId } from '#contract/webhooks/deliveries.ts';
import type { WebhookId } from '#contract/webhooks/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { PATIENCE_MS } from './rules.ts';
import type { Outcome } from '#server/webhooks/requests/rules.ts';

const AGE_MAX_MS = 30 * DAY_MS;
const SWEPT_AT_ONCE = 5000;

type World = Pick<Deps, 'sql' | 'clock'>;

/** The columns that decide about turns, of webhooks that still exist. */
export const listTurns = (database: Db, ids: readonly WebhookId[]) =>
  database
    .selectFrom('webhooks')
    .select(['id', 'org_id as orgId', 'created_by as createdBy'])
    .select(sql<boolean>`failing_since is not null`.as('isFailing'))
    .select(sql<boolean>`paused_at is not null or switched_off_at is not null`.as('isHeld'))
    .where('id', '=', sql<WebhookId>`any (${[...ids]}::bigint[])`)
    .execute();

/** A waiting delivery with its webhook; undefined if it was delivered or removed. */
export const findMessage = ({ sql: database, clock }: World, id: number) =>
  database
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select(['webhook_deliveries.id', 'webhook_id as webhookId', 'attempts', 'org_id as orgId', 'url'])
    .select(['message_id as messageId', 'payload', 'sealed_secret as sealedSecret'])
    .select(
      sql<Uint8Array | null>`case when former_secret_ends_at > ${clock.now()} then former_sealed_secret end`.as(
        'formerSealedSecret',
      ),
    )
    .where('webhook_deliveries.id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst();
export type Message = NonNullable<Awaited<ReturnType<typeof findMessage>>>;

/** Another run may have delivered it meanwhile. */
const updateTry = (database: Db, { id }: Message, { durationMs, ...outcome }: Outcome, now: Date) =>
  database
    .updateTable('webhook_deliveries')
    .set((row) => ({
      attempts: sql<number>`${row.ref('attempts')} + 1`,
      tried_at: now,
      status_code: outcome.statusCode,
      duration_ms: durationMs,
      response: outcome.response,
      error: outcome.error,
    }))
    .where('id', '=', id)
    .where('status', '=', 'waiting');

export async function storeSuccess(
  { sql: database, clock }: World,
  message: Message,
  outcome: Outcome,
): Promise<void> {
  await updateTry(database, message, outcome, clock.now()).set({ status: 'delivered' }).execute();
  await database
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('id', '=', message.webhookId)
    .where('failing_since', 'is not', null)
    .execute();
}
/** Returns whether the delivery waits, and since when every try failed. Locks the webhook first, as each change does. */
export async function storeFailure(
  tx: Tx,
  message: Message,
  outcome: Outcome,
  { nextTryAt, isFinal }: { readonly nextTryAt: Date; readonly isFinal: boolean },
  now: Date,
) {
  const giveUpBefore = new Date(now.getTime() - PATIENCE_MS);
  await tx.selectFrom('webhooks').select('id').where('id', '=', message.webhookId).forNoKeyUpdate().execute();
  const delivery = await updateTry(tx, message, outcome, now)
    .set({
      next_try_at: nextTryAt,
      first_failed_at: sql<Date>`coalesce(first_failed_at, ${now})`,
      status: isFinal
        ? 'failed'
        : sql<'failed'>`case when first_failed_at <= ${giveUpBefore} then 'failed' else 'waiting' end`,
    })
    .returning('status')
    .executeTakeFirst();
  if (!delivery) return undefined;
  const webhook = await tx
    .updateTable('webhooks')
    .set({ failing_since: sql<Date>`coalesce(failing_since, ${now})` })
    .where('id', '=', message.webhookId)
    .returning(sql<Date>`failing_since`.as('failingSince'))
    .executeTakeFirstOrThrow();
  return { isWaiting: delivery.status === 'waiting', ...webhook };
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

const selectDeliveries = (database: Db, webhookId: WebhookId) =>
  database
    .selectFrom('webhook_deliveries')
    .select(sql<MessageId>`'msg_' || message_id`.as('id'))
    .select(['event', 'status', 'created_at as createdTime', 'attempts as tries', 'tried_at as triedTime'])
    .select(sql<Date | null>`case when status = 'waiting' then next_try_at end`.as('nextTryTime'))
    .select(['status_code as statusCode', 'duration_ms as durationMs', 'response', 'error'])
    .where('webhook_id', '=', webhookId);

const uuidOf = (id: MessageId) => id.replace('msg_', '');

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
      payload: { type: 'test', timestamp: now.toISOString(), data: orgId === null ? {} : { org_id: orgId } },
      created_at: now,
      next_try_at: now,
    })
    .returning(sql<MessageId>`'msg_' || message_id`.as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

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
