import type { Tx } from '#server/db/connect.ts';

export const lockSuiteWebhook = (tx: Tx, url: string) =>
  tx
    .selectFrom('webhooks')
    .select('id')
    .where('org_id', 'is', null)
    .where('url', '=', url)
    .forUpdate()
    .executeTakeFirst();
