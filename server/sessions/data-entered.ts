import { sql } from 'kysely';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Tx } from '#server/db/connect.ts';
import { noteLocked } from '#server/origin.ts';
import { wakeAfterCommit } from '#server/waking.ts';

/** Ends the sessions of a person that entered the organization through its provider. */
export async function deleteEntered(tx: Tx, userId: UserId, orgId: OrgId) {
  const rows = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(sql<boolean>`${orgId}::bigint = any (entered)`)
    .returning('id')
    .execute();
  noteLocked(tx, rows);
  if (rows.length > 0) wakeAfterCommit(tx);
}
