import { sql } from 'kysely';
import type { WebhookId } from '#contract/webhooks/calls.ts';
import type { Db } from '#server/db/connect.ts';

export const getSecrets = (database: Db, id: WebhookId) =>
  database
    .selectFrom('webhooks')
    .select(['sealed_secret as sealedSecret', 'former_sealed_secret as formerSealedSecret'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** How many events wait for each webhook of the suite, and why the last try of one failed. */
export async function listWaiting(database: Db) {
  const { rows } = await sql<{ id: WebhookId; waiting: number; reason: string | null }>`
    select webhook_id as id, count(*)::int as waiting,
      (array_agg(error order by tried_at desc nulls last))[1] as reason
    from webhook_deliveries join webhooks on webhooks.id = webhook_id
    where status = 'waiting' and webhooks.org_id is null group by webhook_id`.execute(database);
  return rows;
}
