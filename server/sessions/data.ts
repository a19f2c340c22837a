import { SESSIONS_PER_USER_MAX } from '#contract/limits.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken, sha256 } from '#server/keys.ts';

/** Where a session is opened from, and the one that the browser had until now. */
export type Place = {
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly replacedSession?: SessionId | undefined;
};

/** The last use is written at most this often: reading stays reading. */
const TOUCH_EVERY_MS = 60 * SECOND_MS;

/** Opens a session and returns its cookie; the one it replaces ends, and over the cap of 20 those longest unused. */
export async function openSession(tx: Tx, { clock }: Pick<Deps, 'clock'>, userId: UserId, place: Place) {
  const now = clock.now();
  const token = randomToken();
  if (place.replacedSession !== undefined) await deleteSession(tx, place.replacedSession);
  await tx
    .insertInto('sessions')
    .values({
      user_id: userId,
      token_hash: sha256(token),
      created_at: now,
      last_seen_at: now,
      authenticated_at: now,
      ip_address: place.ipAddress,
      user_agent: place.userAgent,
    })
    .execute();
  const beyond = tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .offset(SESSIONS_PER_USER_MAX);
  await tx.deleteFrom('sessions').where('id', 'in', beyond).execute();
  return token;
}

/** The person of a cookie while the session lasts: idle and absolute limits hold; who is deactivated, or restricted by an operator, has none. */
export async function findCaller({ sql, clock, config }: Deps, token: string) {
  const now = clock.now().getTime();
  const row = await sql
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .select([
      'sessions.id as sessionId',
      'sessions.last_seen_at as lastSeenAt',
      'users.id as userId',
      'users.email',
    ])
    .select(['users.first_name', 'users.last_name', 'users.confirmed_at'])
    .select('sessions.authenticated_at as authenticatedAt')
    .where('sessions.token_hash', '=', sha256(token))
    .where('account_deletions.user_id', 'is', null)
    .where('sessions.last_seen_at', '>', new Date(now - config.sessionIdleHours * HOUR_MS))
    .where('sessions.created_at', '>', new Date(now - config.sessionAbsoluteHours * HOUR_MS))
    .where((session) => {
      // Wrong codes hold back new sign-ins only; who is in is not put out by a stranger's guesses.
      const closed = session
        .selectFrom('restrictions')
        .select('restrictions.id')
        .whereRef('restrictions.user_id', '=', 'sessions.user_id')
        .where('restrictions.cause', '=', 'operator')
        .where('restrictions.ends_at', '>', new Date(now))
        .where('restrictions.lifted_at', 'is', null);
      return session.not(session.exists(closed));
    })
    .executeTakeFirst();
  if (row && now - row.lastSeenAt.getTime() >= TOUCH_EVERY_MS)
    await touchSession(sql, row.sessionId, new Date(now));
  return row;
}

/** Whether a proof of identity is young enough for sensitive acts; with no window set none is ever asked for. */
export const isRecent = ({ clock, config }: Pick<Deps, 'clock' | 'config'>, authenticatedAt: Date) =>
  config.reauthWindowMinutes === 0 ||
  authenticatedAt > fromNow(clock, -config.reauthWindowMinutes * MINUTE_MS);

const touchSession = (sql: Db, sessionId: SessionId, now: Date) =>
  sql.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId).execute();

/** Sessions that have ended by themselves. */
export const sweepSessions = ({ sql, clock, config }: Deps) =>
  sql
    .deleteFrom('sessions')
    .where((row) =>
      row.or([
        row('last_seen_at', '<=', fromNow(clock, -config.sessionIdleHours * HOUR_MS)),
        row('created_at', '<=', fromNow(clock, -config.sessionAbsoluteHours * HOUR_MS)),
      ]),
    )
    .execute();

/** A new cookie for a session whose person has just proved themself again; the old one no longer serves. */
export async function renewSession(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  sessionId: SessionId,
): Promise<string> {
  const token = randomToken();
  await tx
    .updateTable('sessions')
    .set({ token_hash: sha256(token), authenticated_at: clock.now() })
    .where('id', '=', sessionId)
    .execute();
  return token;
}

/** Whether a session still stands, whatever ended others meanwhile. */
export const hasSession = async (tx: Tx, sessionId: SessionId): Promise<boolean> =>
  (await tx.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst()) !== undefined;

export const deleteSession = (tx: Tx, sessionId: SessionId) =>
  tx.deleteFrom('sessions').where('id', '=', sessionId).execute();

export const deleteSessionsOf = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('sessions').where('user_id', '=', userId).execute();
