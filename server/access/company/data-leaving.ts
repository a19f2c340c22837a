import { COMPANY_VISIT_MINUTES } from '#contract/company-sign-in/visits.ts';
import type { SessionId } from '#contract/wire.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken, sha256 } from '#server/keys.ts';

/** Before a session ends: a ticket for its browser that tells through which connection it came, if through one. */
export async function leaveCompany(tx: Tx, { clock }: Pick<Deps, 'clock'>, sessionId: SessionId) {
  const entry = await tx
    .selectFrom('company_entries')
    .select(['connection_id', 'id_token'])
    .where('session_id', '=', sessionId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!entry) return undefined;
  const ticket = randomToken();
  const expiresAt = fromNow(clock, COMPANY_VISIT_MINUTES * MINUTE_MS);
  const leaving = { ticket_hash: sha256(ticket), ...entry, expires_at: expiresAt };
  await tx.insertInto('company_leavings').values(leaving).execute();
  return ticket;
}

export const findLeaving = (sql: Db, ticket: string, now: Date) =>
  sql
    .selectFrom('company_leavings')
    .select(['connection_id as connectionId', 'id_token as idToken'])
    .where('ticket_hash', '=', sha256(ticket))
    .where('expires_at', '>', now)
    .executeTakeFirst();
