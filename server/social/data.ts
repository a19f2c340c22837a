import { MEMBER_STATUS } from '#contract/members.ts';
import type { ProviderName } from '#contract/social.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';

export type NewVisit = {
  readonly state: string;
  readonly browser: string;
  readonly provider: ProviderName;
  readonly sessionId: SessionId | null;
  readonly expiresAt: Date;
};

const SWEPT_AT_ONCE = 20;

/** Notes that somebody leaves for a provider; who never came back is forgotten on the way. */
export async function insertVisit(tx: Tx, visit: NewVisit, now: Date) {
  // Locked ones are being taken or swept by somebody else.
  const old = tx
    .selectFrom('social_visits')
    .select('state_hash')
    .where('expires_at', '<=', now)
    .limit(SWEPT_AT_ONCE)
    .forUpdate()
    .skipLocked();
  await tx.deleteFrom('social_visits').where('state_hash', 'in', old).execute();
  await tx
    .insertInto('social_visits')
    .values({
      state_hash: sha256(visit.state),
      browser_hash: sha256(visit.browser),
      provider: visit.provider,
      session_id: visit.sessionId,
      expires_at: visit.expiresAt,
    })
    .execute();
}

/** Takes the visit that a return belongs to, once: the state, the browser's cookie and the provider must all be its own. */
export const takeVisit = (
  sql: Db,
  { state, browser, provider }: Pick<NewVisit, 'state' | 'browser' | 'provider'>,
  now: Date,
) =>
  sql
    .deleteFrom('social_visits')
    .where('state_hash', '=', sha256(state))
    .where('browser_hash', '=', sha256(browser))
    .where('provider', '=', provider)
    .where('expires_at', '>', now)
    .returning('session_id as sessionId')
    .executeTakeFirst();

export const findIdentityOwner = async (sql: Db, provider: ProviderName, subject: string) => {
  const row = await sql
    .selectFrom('social_identities')
    .select('user_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id;
};

/** Whether an invitation waits for the person. */
export const isInvited = async (sql: Db, userId: UserId): Promise<boolean> =>
  (await sql
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', MEMBER_STATUS.invited)
    .executeTakeFirst()) !== undefined;
