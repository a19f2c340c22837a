import { sql, type Updateable } from 'kysely';
import type { OrganizationEvent, WebhookId } from '#contract/webhooks/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Tables, NewRow } from '#server/db/tables.ts';

/** Without an organization: the suite's. */
const selectWebhooks = (database: Db, orgId: OrgId | null, now: Date) =>
  database
    .selectFrom('webhooks')
    .select(['id', 'url', 'description', 'created_at as createdTime'])
    // Those of the suite's webhooks are only listed as text.
    .select(sql<OrganizationEvent[]>`events`.as('events'))
    .select(['switched_off_at as switchedOffTime', 'failing_since as failingSince'])
    .select(sql<boolean>`paused_at is not null`.as('isPaused'))
    .select(
      sql<Date | null>`case when former_secret_ends_at > ${now} then former_secret_ends_at end`.as(
        'formerSecretEnds',
      ),
    )
    .where('org_id', 'is not distinct from', orgId);

export const listWebhooks = (database: Db, orgId: OrgId | null, now: Date) =>
  selectWebhooks(database, orgId, now).orderBy('created_at').orderBy('id').execute();
export type Webhook = Awaited<ReturnType<typeof listWebhooks>>[number];

/** Locks a webhook of the suite, because no organization's lock covers it. */
export const findWebhook = (database: Db, orgId: OrgId | null, id: WebhookId, now: Date) =>
  selectWebhooks(database, orgId, now)
    .where('id', '=', id)
    .$if(orgId === null, (query) => query.forUpdate())
    .executeTakeFirst();

export async function insertWebhook(tx: Tx, webhook: NewRow<'webhooks'>) {
  const { id } = await tx.insertInto('webhooks').values(webhook).returning('id').executeTakeFirstOrThrow();
  return id;
}

export const updateWebhook = (tx: Tx, id: WebhookId, change: Updateable<Tables['webhooks']>) =>
  tx.updateTable('webhooks').set(change).where('id', '=', id).execute();

/** Replaces the secret; the current one signs along until `endsAt`. */
export const replaceSecret = (tx: Tx, id: WebhookId, sealed: Buffer, endsAt: Date) =>
  tx
    .updateTable('webhooks')
    .set((row) => ({
      former_sealed_secret: row.ref('sealed_secret'),
      former_secret_ends_at: endsAt,
      sealed_secret: sealed,
    }))
    .where('id', '=', id)
    .execute();

/** Retries failed deliveries at once, and restarts the time until they and the webhook are given up. */
export async function forgetFailures(tx: Tx, id: WebhookId, now: Date): Promise<void> {
  await updateWebhook(tx, id, { failing_since: null });
  await tx
    .updateTable('webhook_deliveries')
    .set({ next_try_at: now, first_failed_at: null, attempts: 0 })
    .where('webhook_id', '=', id)
    .where('status', '=', 'waiting')
    .where('first_failed_at', 'is not', null)
    .execute();
}

/** With its jobs, which would wait for nothing. */
export async function deleteWebhook(tx: Tx, id: WebhookId) {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
  await tx
    .deleteFrom('jobs')
    .where('kind', '=', 'webhook')
    .where('lane', 'like', `webhook ${id}.%`)
    .where('done_at', 'is', null)
    .execute();
}
