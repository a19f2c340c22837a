import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { ProviderName } from '#contract/social/calls.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';
import type { NewRow } from '#server/db/tables.ts';

export const insertVisit = (tx: Tx, visit: NewRow<'social_visits'>) =>
  tx.insertInto('social_visits').values(visit).execute();

export type Return = { readonly state: string; readonly browser: string; readonly provider: ProviderName };
/** Deletes the visit of a return, so that it serves once. State, browser and provider must match. */
export const takeVisit = (tx: Tx, { state, browser, provider }: Return, now: Date) =>
  tx
    .deleteFrom('social_visits')
    .where('state_hash', '=', sha256(state))
    .where('browser_hash', '=', sha256(browser))
    .where('provider', '=', provider)
    .where('subject', 'is', null)
    .where('expires_at', '>', now)
    .returning(['session_id as sessionId', 'terms_version as termsVersion'])
    .executeTakeFirst();

type Waiting = { readonly visit: string; readonly sessionId: SessionId };
/** The identity that waits until the person of this session links it. */
export const findWaiting = (sql: Db, { visit, sessionId }: Waiting, now: Date) =>
  sql
    .selectFrom('social_visits')
    .where('state_hash', '=', sha256(visit))
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', now)
    .where('subject', 'is not', null)
    .select(['provider', 'said'])
    .select((eb) => eb.ref('subject').$notNull().as('subject'))
    .executeTakeFirst();
export const deleteWaiting = (tx: Tx, { visit }: Pick<Waiting, 'visit'>) =>
  tx.deleteFrom('social_visits').where('state_hash', '=', sha256(visit)).execute();

export const findIdentityOwner = async (sql: Db, provider: ProviderName, subject: string) => {
  const row = await sql
    .selectFrom('social_identities')
    .select('user_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id;
};

export const isInvited = async (sql: Db, userId: UserId): Promise<boolean> =>
  (await sql
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', MEMBER_STATUS.invited)
    .executeTakeFirst()) !== undefined;
