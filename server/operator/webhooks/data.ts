import { sql } from 'kysely';
import type { WebhookId } from '#contract/webhooks/calls.ts';
import type { Db } from '#server/db/connect.ts';

export const getSecrets = (database: Db, id: WebhookId) =>
  database
    .selectFrom('webhooks')
    .select(['sealed_secret as sealedSecret', 'former_sealed_secret as formerSealedSecret'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** How many events wait for each webhook of the suite, and why one fails or was switched off. */
export async function listStandings(database: Db) {
  const { rows } = await sql<{ id: WebhookId; waiting: number; reason: string | null }>`
    select id, (select count(*)::int from webhook_deliveries where webhook_id = webhooks.id and status = 'waiting') as waiting,
      case when switched_off_at is not null or failing_since is not null then (
        select error from webhook_deliveries where webhook_id = webhooks.id and error is not null
        order by id desc limit 1) end as reason
    from webhooks where org_id is null`.execute(database);
  return rows;
}
