import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import type { UserId } from '#contract/wire.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { sha256 } from '#server/keys.ts';
import { noteLocked } from '#server/origin.ts';
import { wakeAfterCommit } from '#server/waking.ts';

/** Keeps the id of a logout token while the token is valid. False if it was used already. */
export async function useTokenId(tx: Tx, connectionId: ConnectionId, jti: string, expiresAt: Date) {
  const row = await tx
    .insertInto('company_logouts')
    .values({ connection_id: connectionId, jti_hash: sha256(jti), expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('connection_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The session of the provider, or all of a subject if the provider names no session. */
export type Ended = { readonly sid: string } | { readonly subject: string };
export async function endSessions(tx: Tx, connectionId: ConnectionId, ended: Ended) {
  const entries = tx
    .selectFrom('company_entries')
    .select('session_id')
    .where('connection_id', '=', connectionId)
    .where((row) => ('sid' in ended ? row('sid', '=', ended.sid) : row('subject', '=', ended.subject)));
  const rows = await tx
    .deleteFrom('sessions')
    .where('id', 'in', entries)
    .returning(['id', 'user_id as userId', 'ip_address as ipAddress', 'user_agent as userAgent', 'location'])
    .$narrowType<{ userId: UserId }>()
    .execute();
  noteLocked(tx, rows);
  if (rows.length > 0) wakeAfterCommit(tx);
  return rows;
}

export async function sweepLogouts({ sql, clock }: Deps) {
  for (const table of ['company_logouts', 'company_leavings'] as const)
    await sql.deleteFrom(table).where('expires_at', '<=', clock.now()).execute();
}
